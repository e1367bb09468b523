import Negotiator from "negotiator";
import { StandinError } from "../../base/errors.ts";
import type { RouteRow } from "../../http/contract.ts";
import type { Exchange } from "../../http/exchange.ts";
import { jsonReply, type Reply, streamReply } from "../../http/response/reply.ts";
import { wholeNumber } from "../../query/parse-query.ts";
import type { EventIds } from "./event-ids.ts";
import type { Live } from "./live.ts";
import type { Traffic } from "./traffic.ts";
import type { TrafficFilter } from "./traffic-filter.ts";
import { waitMs } from "./wait-ms.ts";

const DEFAULT_LIMIT = 200;

/** The latest requests, as a list or as server-sent events for clients that accept these. */
export function requestsRoute(live: Live): RouteRow {
  return {
    path: "/__requests",
    yields: true,
    harmless: ["DELETE"],
    GET: (exchange) => respondWithTraffic(exchange, { ids: live.ids, traffic: trafficOf(live) }),
    DELETE: async ({ sandbox }) => {
      trafficOf(live).clear(sandbox);
      return jsonReply("{}");
    },
  };
}

interface TrafficView {
  readonly ids: EventIds;
  readonly traffic: Traffic;
  /** Hides requests that are not for this reader. */
  readonly isShown?: TrafficFilter["isShown"];
}

export async function respondWithTraffic(exchange: Exchange, { ids, traffic, isShown }: TrafficView): Promise<Reply> {
  const after = ids.lastSeen(exchange);
  const accepts = new Negotiator(exchange.req).mediaType(["application/json", "text/event-stream"]);
  const filter = { ...filterOf(exchange), isShown };
  if (accepts === "text/event-stream") {
    traffic.expectRoom();
    return streamReply((res) => traffic.follow(res, after, filter));
  }
  const limit = Math.max(0, wholeNumber(exchange.parameters, "limit") ?? DEFAULT_LIMIT);
  const count = Math.max(1, wholeNumber(exchange.parameters, "count") ?? 1);
  await traffic.until({ count, after, filter, ms: waitMs(exchange) });
  return jsonReply(`{"requests":[${traffic.list(limit, after, filter).join(",")}]}`);
}

/** Within a sandbox only its own requests are seen. */
function filterOf({ parameters, sandbox }: Exchange): TrafficFilter {
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
