import { isJsonObject } from "../../base/json/json.ts";
import type { Call } from "../call.ts";

/** Whether the body of a request says `"stream": true`, whatever its `Accept` says: SDKs leave that as it is. */
export async function asksForStream(call: Call): Promise<boolean> {
  if (/^text\/event-stream\b/i.test(call.headers.accept ?? "")) return true;
  if (!/json/i.test(call.headers["content-type"] ?? "")) return false;
  // It is read again by what responds.
  await call.keepBody();
  const body = await call.body();
  return isJsonObject(body) && body.stream === true;
}
