import Negotiator from "negotiator";
import { StandinError } from "../../errors.ts";
import { wholeNumber } from "../../query/parse.ts";
import { lastSeen } from "../live/last-seen.ts";
import type { Traffic } from "../live/traffic.ts";
import { jsonReply, streamReply } from "../reply.ts";
import type { Route } from "../route.ts";
import type { Service } from "../service.ts";

const DEFAULT_LIMIT = 200;

/** `/__requests`: the latest requests, as a list or, for who accepts server-sent events, as they come. */
export const requestsRoute: Route<undefined> = {
  GET: async (exchange, service) => {
    const traffic = trafficOf(service);
    const after = lastSeen(exchange);
    const accepts = new Negotiator(exchange.req).mediaType(["application/json", "text/event-stream"]);
    if (accepts === "text/event-stream") return streamReply((res) => traffic.follow(res, after));
    const limit = Math.max(0, wholeNumber(exchange.parameters, "limit") ?? DEFAULT_LIMIT);
    return jsonReply(`{"requests":[${traffic.list(limit, after).join(",")}]}`);
  },
  DELETE: async (_exchange, service) => {
    trafficOf(service).clear();
    return jsonReply("{}");
  },
};

function trafficOf({ live }: Service): Traffic {
  if (live?.traffic) return live.traffic;
  throw new StandinError("TRAFFIC_OFF", "Requests are not kept: the server was started with --traffic 0.");
}
