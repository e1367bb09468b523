import type { Preferences } from "../../http/prefer.ts";
import { jsonReply, type Reply } from "../../http/response/reply.ts";
import { asApplied } from "../../http/routes/carry-out.ts";

/** The reply to a batch, from those to its requests. */
export function batchReply(replies: readonly Reply[], preferences: Preferences | undefined): Reply {
  // Most headers are the same in all of them.
  const known = new Map<string, string>();
  const quoted = (text: string): string => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const made = JSON.stringify(text);
    known.set(text, made);
    return made;
  };
  let json = "";
  for (const reply of replies) json += `${json === "" ? "" : ","}${render(reply, quoted)}`;
  return asApplied(jsonReply(`{"responses":[${json}]}`), preferences);
}

/** A reply as a part of the response, in JSON. */
function render({ status, headers, etag, json = "null" }: Reply, quoted: (text: string) => string): string {
  let shown = etag === undefined ? "" : `"ETag":${quoted(etag)}`;
  for (const name in headers) {
    shown += `${shown === "" ? "" : ","}${quoted(name)}:${JSON.stringify(headers[name])}`;
  }
  return `{"status":${status},"headers":{${shown}},"body":${json}}`;
}
