import Negotiator from "negotiator";
import { StandinError } from "../../errors.ts";
import type { Exchange } from "../../http/exchange.ts";
import { jsonReply, streamReply } from "../../http/response/reply.ts";
import type { Route } from "../../http/route.ts";
import type { Service } from "../../http/service.ts";
import { wholeNumber } from "../../query/parse.ts";
import type { Traffic } from "./traffic.ts";
import type { TrafficFilter } from "./traffic-filter.ts";
import { waitMs } from "./wait-ms.ts";

const DEFAULT_LIMIT = 200;

/** `/__requests`: the latest requests, as a list or, for who accepts server-sent events, as they come. */
export const requestsRoute: Route<undefined> = {
  GET: async (exchange, service) => {
    const traffic = trafficOf(service);
    const after = service.live?.ids.lastSeen(exchange);
    const accepts = new Negotiator(exchange.req).mediaType(["application/json", "text/event-stream"]);
    const filter = filterOf(exchange);
    if (accepts === "text/event-stream") return streamReply((res) => traffic.follow(res, after, filter));
    const limit = Math.max(0, wholeNumber(exchange.parameters, "limit") ?? DEFAULT_LIMIT);
    const count = Math.max(1, wholeNumber(exchange.parameters, "count") ?? 1);
    await traffic.until(count, after, filter, waitMs(exchange));
    return jsonReply(`{"requests":[${traffic.list(limit, after, filter).join(",")}]}`);
  },
  DELETE: async ({ sandbox }, service) => {
    trafficOf(service).clear(sandbox);
    return jsonReply("{}");
  },
};

/** Within a sandbox only its own requests are seen. */
function filterOf({ parameters, sandbox }: Exchange): TrafficFilter {
  return {
    method: parameters.get("method")?.[0],
    path: parameters.get("path")?.[0],
    status: wholeNumber(parameters, "status"),
    sandbox: sandbox ?? parameters.get("sandbox")?.[0],
  };
}

function trafficOf({ live }: Service): Traffic {
  if (live?.traffic) return live.traffic;
  throw new StandinError("TRAFFIC_OFF", "Requests are not kept: the server was started with --traffic 0.");
}
