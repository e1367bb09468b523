import type { Call } from "../http/call.ts";
import type { RecordTraffic } from "../http/edge.ts";
import type { Reply } from "../http/response/reply.ts";
import type { ShownRequest } from "./page/start-page.ts";

/** Whether a request to a path may be seen. */
export type IsShown = (path: string) => boolean;

/** The traffic log as hosted mode needs it. */
export interface RequestLog {
  readonly record: RecordTraffic;
  /** Newest first. */
  latest(count: number, isShown: IsShown): readonly ShownRequest[];
  /** The response of `/__requests`. */
  respond(call: Call, isShown: IsShown): Reply | Promise<Reply>;
}
