import type { ServerResponse } from "node:http";
import type { Exchange } from "../exchange.ts";

/** The last piece of a body, as it was handed to `res.end`. */
const LAST_TEXT = Symbol("last text");
type Noted = ServerResponse & { [LAST_TEXT]?: string };

/** Takes note of the JSON that is about to be sent past whatever stands around the response. */
export function noteText(res: ServerResponse, text: string): void {
  (res as Noted)[LAST_TEXT] = text;
}

/** Where anybody may answer, in any way: what was answered is known when it is done. */
export function recordWhenDone(exchange: Exchange, res: ServerResponse): void {
  const { traffic } = exchange;
  if (!traffic) return;
  const { end } = res;
  res.end = function (this: ServerResponse, ...given: unknown[]) {
    // What was written before in pieces is not put together again.
    const [last] = given;
    if (!res.headersSent && (typeof last === "string" || Buffer.isBuffer(last))) noteText(res, last.toString());
    return Reflect.apply(end, this, given);
  } as typeof end;
  res.once("finish", () => {
    const headers = res.getHeaders();
    const isJson = String(headers["content-type"]).includes("json");
    const text = isJson ? (res as Noted)[LAST_TEXT] : undefined;
    const bytes =
      exchange.bodyBytes ?? Number(headers["content-length"] ?? (text === undefined ? 0 : Buffer.byteLength(text)));
    traffic.record(exchange, res.statusCode, headers, text, bytes);
  });
}
