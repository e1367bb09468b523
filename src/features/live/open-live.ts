import Negotiator from "negotiator";
import { StandinError } from "../../base/errors.ts";
import type { Call } from "../../http/call.ts";
import type { OpenFeature, RouteRow, Service } from "../../http/contract.ts";
import { jsonReply, type Reply, streamReply } from "../../http/response/reply.ts";
import { wholeNumber } from "../../query/window.ts";
import type { FeatureContext } from "../feature.ts";
import { eventsRoute, requestedCollections } from "./events-route.ts";
import { createLive, type Live } from "./live.ts";
import type { Traffic } from "./traffic.ts";
import type { TrafficFilter } from "./types.ts";
import { waitMs } from "./wait-ms.ts";

const DEFAULT_LIMIT = 200;

/** Without the console there are neither streams nor a traffic log; the list of changes stays. */
export function openLive({
  options,
  service,
}: FeatureContext<{ readonly traffic: number }>): OpenFeature & { offer: Live } {
  const { console: hasConsole, heartbeatMs } = service.settings;
  const live = createLive(service.store, { traffic: hasConsole ? options.traffic : 0, heartbeatMs, now: service.now });
  const { traffic } = live;
  const streams = hasConsole ? [eventsRoute(live), requestsRoute(live)] : [];
  return {
    name: "live",
    ...(traffic && { record: traffic.record }),
    routes: [changesRoute(live), ...streams],
    describe: async (facts) => (await import("./openapi.ts")).livePaths(facts, { hasTraffic: traffic !== undefined }),
    stop: () => live.endStreams(),
    close: () => live.close(),
    offer: live,
  };
}

/** The latest changes as a list, for clients that follow no stream. */
function changesRoute({ ids, changesOf }: Live): RouteRow {
  return {
    path: "/__changes",
    yields: true,
    GET: async (call, { store }) => {
      const collections = requestedCollections(call, store);
      const after = ids.lastSeen(call);
      const changes = await changesOf(store).list(collections, after, waitMs(call));
      return jsonReply(`{"changes":[${changes.join(",")}]}`);
    },
  };
}

/** The latest requests, as a list or as server-sent events for clients that accept these. */
function requestsRoute(live: Live): RouteRow {
  return {
    path: "/__requests",
    yields: true,
    harmless: ["DELETE"],
    GET: (call, service) => respondWithTraffic(call, service, live),
    DELETE: async ({ sandbox }) => {
      trafficOf(live).clear(sandbox);
      return jsonReply("{}");
    },
  };
}

async function respondWithTraffic(call: Call, { responder }: Service, live: Live): Promise<Reply> {
  const traffic = trafficOf(live);
  const after = live.ids.lastSeen(call);
  const accepts = new Negotiator(call).mediaType(["application/json", "text/event-stream"]);
  const filter = { ...filterOf(call), isShown: responder?.shownTo(call) };
  if (accepts === "text/event-stream") {
    traffic.expectRoom();
    return streamReply((res) => traffic.follow(res, after, filter));
  }
  const limit = Math.max(0, wholeNumber(call.parameters, "limit") ?? DEFAULT_LIMIT);
  const count = Math.max(1, wholeNumber(call.parameters, "count") ?? 1);
  await traffic.until({ count, after, filter, ms: waitMs(call) });
  return jsonReply(`{"requests":[${traffic.list(limit, after, filter).join(",")}]}`);
}

/** Within a sandbox only its own requests are seen. */
function filterOf({ parameters, sandbox }: Call): TrafficFilter {
  return {
    method: parameters.get("method")?.[0],
    path: parameters.get("path")?.[0],
    status: wholeNumber(parameters, "status"),
    sandbox: sandbox ?? parameters.get("sandbox")?.[0],
  };
}

function trafficOf({ traffic }: Live): Traffic {
  if (traffic) return traffic;
  throw new StandinError(
    "TRAFFIC_OFF",
    "Requests are not kept: the server was started with --traffic 0. Start it without this option to keep them.",
  );
}
