import type { ServerResponse } from "node:http";
import type { Reporter } from "../../base/reporter.ts";
import type { RecordTraffic } from "../edge.ts";
import { logWhenSent } from "../node/access-log.ts";
import type { NodeCall } from "../node/node-call.ts";
import { isTextType } from "../response/text-type.ts";

/** The last piece of a body, as it was handed to `res.end`. */
const LAST_TEXT = Symbol("last text");
type Noted = ServerResponse & { [LAST_TEXT]?: string };

interface Observers {
  readonly log: Reporter["request"];
  readonly record: RecordTraffic | undefined;
}

/** Keeps the JSON that is about to be sent past everything that wraps the response. */
export function noteText(res: ServerResponse, text: string): void {
  (res as Noted)[LAST_TEXT] = text;
}

/** Logs and records a response that any middleware may send, in any way: when it is complete. */
export function observeResponse(call: NodeCall, res: ServerResponse, { log, record }: Observers): void {
  if (log) logWhenSent(call, log);
  if (!record) return;
  const { end } = res;
  res.end = function (this: ServerResponse, ...given: unknown[]) {
    // Pieces written before are not put together again.
    const [last] = given;
    if (!res.headersSent && (typeof last === "string" || Buffer.isBuffer(last))) noteText(res, last.toString());
    return Reflect.apply(end, this, given);
  } as typeof end;
  res.once("finish", () => {
    const headers = res.getHeaders();
    const text = isTextType(String(headers["content-type"])) ? (res as Noted)[LAST_TEXT] : undefined;
    call.sentStatus = res.statusCode;
    call.sentHeaders = headers;
    call.sentText = text;
    call.sentBytes ??= Number(headers["content-length"] ?? (text === undefined ? 0 : Buffer.byteLength(text)));
    record(call);
  });
}
