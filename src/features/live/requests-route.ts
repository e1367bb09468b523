import Negotiator from "negotiator";
import { StandinError } from "../../base/errors.ts";
import type { Call } from "../../http/call.ts";
import type { RouteRow, Service } from "../../http/contract.ts";
import { jsonReply, type Reply, streamReply } from "../../http/response/reply.ts";
import { wholeNumber } from "../../query/window.ts";
import type { Live } from "./live.ts";
import type { Traffic } from "./traffic.ts";
import type { TrafficFilter } from "./types.ts";
import { waitMs } from "./wait-ms.ts";

const DEFAULT_LIMIT = 200;

/** The latest requests, as a list or as server-sent events for clients that accept these. */
export function requestsRoute(live: Live): RouteRow {
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
