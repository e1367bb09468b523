import Negotiator from "negotiator";
import { StandinError } from "../../base/errors.ts";
import { didYouMean } from "../../base/nearest.ts";
import type { Call } from "../../http/call.ts";
import type { OpenFeature, RouteRow, Service } from "../../http/contract.ts";
import { writeHar } from "../../http/har.ts";
import { jsonReply, type Reply, streamReply } from "../../http/response/reply.ts";
import { wholeNumber } from "../../query/window.ts";
import type { Store } from "../../store/store.ts";
import type { FeatureContext } from "../feature.ts";
import { admittedSink } from "./event-stream.ts";
import { createLive, type Live } from "./live.ts";
import type { Traffic } from "./traffic.ts";
import type { TrafficFilter } from "./types.ts";

const MAX_WAIT_MS = 60_000;

const DEFAULT_LIMIT = 200;

/** Without the console there are neither streams nor a traffic log; the list of changes stays. */
export function openLive({
  options,
  service,
}: FeatureContext<{ readonly traffic: number }>): OpenFeature & { offer: Live } {
  const { console: hasConsole, heartbeatMs } = service.settings;
  const live = createLive(service.store, {
    traffic: hasConsole ? options.traffic : 0,
    heartbeatMs,
    clock: service.clocks,
  });
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
      const changes = await changesOf(store).list({ collections, after, seen: store.view?.seen }, waitMs(call));
      call.expectAdmitted?.();
      return jsonReply(`{"changes":[${changes.join(",")}]}`);
    },
  };
}

/** The latest requests, as a list or as server-sent events for clients that accept these. */
function requestsRoute(live: Live): RouteRow {
  return {
    path: "/__requests",
    isForAdmins: true,
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
    return streamReply((res) => traffic.follow(admittedSink(res, call), after, filter));
  }
  const limit = Math.max(0, wholeNumber(call.parameters, "limit") ?? DEFAULT_LIMIT);
  const count = Math.max(1, wholeNumber(call.parameters, "count") ?? 1);
  await traffic.until({ count, after, filter, ms: waitMs(call) });
  call.expectAdmitted?.();
  if (wantsArchive(call)) {
    const body = writeHar(traffic.exchanges(limit, after, filter), call.origin);
    return { status: 200, content: { type: "application/json; charset=utf-8", body } };
  }
  return jsonReply(`{"requests":[${traffic.list(limit, after, filter).join(",")}]}`);
}

/** `format=har` returns an HTTP archive. */
function wantsArchive({ parameters }: Call): boolean {
  const format = parameters.get("format")?.[0] ?? "json";
  if (format === "json" || format === "har") return format === "har";
  throw new StandinError("QUERY_INVALID", `format=${format}: allowed values are "json" and "har".`);
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

/** Every change as it happens, as server-sent events. */
function eventsRoute({ ids, changesOf }: Live): RouteRow {
  return {
    path: "/__events",
    yields: true,
    GET: async (call, { store }) => {
      const collections = requestedCollections(call, store);
      const after = ids.lastSeen(call);
      const withNews = wantsNews(call);
      const changes = changesOf(store);
      changes.expectRoom();
      await changes.opened();
      const wanted = { collections, after, withNews, seen: store.view?.seen };
      return streamReply((res) => changes.follow(admittedSink(res, call), wanted));
    },
  };
}

/** `news=true` adds the events of other lists than data. */
function wantsNews({ parameters }: Call): boolean {
  const news = parameters.get("news")?.at(-1) ?? "false";
  if (news === "true" || news === "false") return news === "true";
  throw new StandinError("QUERY_INVALID", `news=${news}: allowed values are "true" and "false".`);
}

/** The collections that `collection=products` names, as often as it is given; none means all. */
function requestedCollections({ parameters }: Call, store: Store): Set<string> {
  const collections = new Set(parameters.get("collection") ?? []);
  for (const name of collections) expectMember(name, store);
  return collections;
}

function expectMember(name: string, store: Store): void {
  if (store.kindOf(name) !== undefined) return;
  const names = store.members().map((member) => member.name);
  throw new StandinError("QUERY_INVALID", `collection=${name}: there is no such collection.${didYouMean(name, names)}`);
}

/** `wait=2000`: how long to wait for what is not there yet, in milliseconds. */
function waitMs({ parameters }: Call): number {
  const ms = wholeNumber(parameters, "wait") ?? 0;
  if (ms >= 0 && ms <= MAX_WAIT_MS) return ms;
  throw new StandinError("QUERY_INVALID", `wait=${ms}: wait must be from 0 to ${MAX_WAIT_MS} milliseconds.`);
}
