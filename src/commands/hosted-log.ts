import { StandinError } from "../base/errors.ts";
import { EventIds } from "../features/live/event-ids.ts";
import { OpenStreams } from "../features/live/open-streams.ts";
import { respondWithTraffic } from "../features/live/requests-route.ts";
import { Traffic } from "../features/live/traffic.ts";
import type { ShownRequest } from "../hosted/page/start-page.ts";
import type { RequestLog } from "../hosted/request-log.ts";
import { jsonReply } from "../http/response/reply.ts";

interface LogOptions {
  readonly heartbeatMs: number;
  readonly now: () => number;
}

/** The traffic log of `standin [source]`, for hosted mode. `stop` ends its streams. */
export function createHostedLog(count: number, options: LogOptions): RequestLog & { stop(): void } {
  const ids = new EventIds();
  const traffic = new Traffic(count, { ids, streams: new OpenStreams(), ...options });
  return {
    record: (sent) => {
      // Our own pages are no traffic.
      if (sent.answeredBy !== "index") traffic.record(sent);
    },
    latest: (limit, isShown) =>
      traffic
        .list(limit, undefined, { isShown })
        .map((text) => JSON.parse(text) as ShownRequest)
        .reverse(),
    respond: (call, isShown) => {
      if (call.isRead) return respondWithTraffic(call, { ids, traffic, isShown });
      if (call.method !== "DELETE") {
        const message = `${call.method} is not possible for /__requests. Use GET or DELETE.`;
        throw new StandinError("METHOD_NOT_ALLOWED", message, { Allow: "GET, HEAD, DELETE, OPTIONS" });
      }
      traffic.clear();
      return jsonReply("{}");
    },
    stop: () => traffic.close(),
  };
}
