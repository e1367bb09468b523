import { crossOriginHeaders, EXPOSED_HEADERS } from "../../base/cross-origin.ts";
import type { Call } from "../call.ts";
import type { ServiceSettings } from "../settings.ts";
import type { Reply } from "./reply.ts";

/** The headers of every response to a request with this `Origin`: names and values in turn. */
export function commonHeaders(origin: string | undefined, { cors, compression }: ServiceSettings): string[] {
  const vary = [...(cors ? ["Origin"] : []), ...(compression ? ["Accept-Encoding"] : [])].join(", ");
  const list = cors ? crossOriginHeaders(origin, vary) : vary === "" ? [] : ["Vary", vary];
  list.push("Cache-Control", "no-cache");
  return list;
}

/** Adds the headers of a reply that do not depend on how its body is sent. */
export function addReplyHeaders(
  headers: string[],
  { headers: sent, warning }: Call,
  { headers: given, etag }: Reply,
): string[] {
  let exposed = etag !== undefined && sent.origin !== undefined ? "ETag" : "";
  for (const name in given) {
    const value = given[name]!;
    if (EXPOSED_HEADERS.has(name)) exposed = exposed === "" ? name : `${exposed}, ${name}`;
    if (typeof value === "string") setHeader(headers, name, value);
    else for (const one of value) headers.push(name, one);
  }
  if (warning !== undefined) setHeader(headers, "Warning", warning);
  if (exposed !== "") setHeader(headers, "Access-Control-Expose-Headers", exposed);
  return headers;
}

/** Takes the place of a common header; two of most names would contradict each other. */
function setHeader(headers: string[], name: string, value: string): void {
  for (let at = 0; at < headers.length; at += 2) {
    if (headers[at] !== name) continue;
    headers[at + 1] = LISTS.has(name) ? `${headers[at + 1]}, ${value}` : value;
    return;
  }
  headers.push(name, value);
}

/** Headers whose values add up. */
const LISTS: ReadonlySet<string> = new Set(["Vary", "Access-Control-Expose-Headers"]);

/** All headers of a reply, except for those of its body: names and values in turn. */
export function replyHeaders(call: Call, reply: Reply, settings: ServiceSettings): string[] {
  if (reply.isPreflight) return Object.entries(reply.headers as Record<string, string>).flat();
  const headers = addReplyHeaders(commonHeaders(call.headers.origin, settings), call, reply);
  if (call.layerHeaders) headers.push(...call.layerHeaders);
  if (reply.etag !== undefined) headers.push("ETag", reply.etag);
  return headers;
}
