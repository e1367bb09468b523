import { jsonReply, type Reply } from "../../http/response/reply.ts";
import { asApplied } from "../../http/routes/carry-out.ts";
import type { Preferences } from "../../prefer.ts";

/** The reply to a batch, from those to its requests. */
export function batchReply(replies: readonly Reply[], preferences: Preferences | undefined): Reply {
  return asApplied(jsonReply(`{"responses":[${replies.map(render).join(",")}]}`), preferences);
}

/** A reply as a part of the response, in JSON. */
function render({ status, headers, etag, json = "null" }: Reply): string {
  let shown = etag === undefined ? "" : `"ETag":${JSON.stringify(etag)}`;
  for (const name in headers) {
    shown += `${shown === "" ? "" : ","}${JSON.stringify(name)}:${JSON.stringify(headers[name])}`;
  }
  return `{"status":${status},"headers":{${shown}},"body":${json}}`;
}
