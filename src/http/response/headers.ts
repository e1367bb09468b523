import type { IncomingHttpHeaders } from "node:http";
import fresh from "fresh";
import { crossOriginHeaders, EXPOSED_HEADERS } from "../../base/cross-origin.ts";
import { StandinError } from "../../base/errors.ts";
import { createHash, type Hash } from "../../base/platform/crypto.ts";
import { parseParameters } from "../../query/parse-query.ts";
import type { PageLinks } from "../../query/window.ts";
import type { Expectation, Reads } from "../../store/store.ts";
import type { Call } from "../call.ts";
import type { ServiceSettings } from "../settings.ts";
import type { Reply } from "./reply.ts";

/** Of requests without an `Origin`, the most common ones. */
const plainHeaders = new WeakMap<ServiceSettings, readonly string[]>();

/** The headers of every response to a request with this `Origin`: names and values in turn. */
export function commonHeaders(origin: string | undefined, settings: ServiceSettings): string[] {
  if (origin !== undefined) return headersFor(origin, settings);
  const known = plainHeaders.get(settings) ?? headersFor(undefined, settings);
  plainHeaders.set(settings, known);
  return known.slice();
}

function headersFor(origin: string | undefined, { cors, compression }: ServiceSettings): string[] {
  const names = [cors && "Origin", compression && "Accept-Encoding"];
  const vary = names.filter(Boolean).join(", ");
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
const LISTS: ReadonlySet<string> = new Set(["Vary", "Warning", "Access-Control-Expose-Headers"]);

/** All headers of a reply, except for those of its body: names and values in turn. */
export function replyHeaders(call: Call, reply: Reply, settings: ServiceSettings): string[] {
  if (reply.isPreflight) return Object.entries(reply.headers as Record<string, string>).flat();
  const headers = addReplyHeaders(commonHeaders(call.headers.origin, settings), call, reply);
  if (call.layerHeaders) headers.push(...call.layerHeaders);
  if (reply.etag !== undefined) headers.push("ETag", reply.etag);
  return headers;
}

/** The end of a tag for records in a form of their own: the same for the same form. */
export function formMark(hash: string): string {
  return `.f${hash}`;
}

const FORM_MARK = /\.f[\w-]+(?="$)/;

/** Weak: the response depends on these members in ways that the tag does not spell out. */
export function stampTag(stamp: string): string {
  return `W/"${stamp}"`;
}

/** A hash of the text, for responses without a version. */
export function contentTag(text: string): string {
  return `"${shortHash(text)}"`;
}

/** A hash to be part of a tag. */
export function shortHash(content: string | Uint8Array): string {
  return shortened(createHash("sha256").update(content));
}

function shortened(hash: Hash): string {
  return hash.digest("base64url").slice(0, 16);
}

/** Whether the client already has the version of this tag; `Cache-Control: no-cache` asks again all the same. */
export function isFresh(headers: IncomingHttpHeaders, etag: string): boolean {
  return headers["if-none-match"] !== undefined && fresh(headers, { etag });
}

/** `If-Match` as an expectation: the record about to be written must still be the one the client saw, in any form. */
export function expectMatch(store: Reads, header: string | undefined): Expectation | undefined {
  if (header === undefined || header.trim() === "*") return undefined;
  const tags = new Set(header.split(",").map((tag) => tag.trim().replace(FORM_MARK, "")));
  return (current) => {
    const tag = current.tag(store);
    if (tags.has(tag)) return;
    throw new StandinError(
      "RECORD_CHANGED",
      `The record has changed: its ETag is now ${tag}, not ${header}. GET it again and repeat the change.`,
      { ETag: tag },
    );
  };
}

/** The `Link` header (RFC 8288) of a page: the address the client used, with another page number. */
export function linkHeader(call: Call, links: PageLinks, current: number): string {
  const { baseUrl, client } = call;
  const { before, behind } = around("_page", withoutEnd(client.search), current);
  const start = `<${baseUrl}${withoutEnd(client.path)}?${before}`;
  const { first, prev, next, last } = links;
  let header = "";
  if (first !== undefined) header = `${start}${first}${behind}>; rel="first"`;
  if (prev !== undefined) header = `${separated(header)}${start}${prev}${behind}>; rel="prev"`;
  if (next !== undefined) header = `${separated(header)}${start}${next}${behind}>; rel="next"`;
  if (last !== undefined) header = `${separated(header)}${start}${last}${behind}>; rel="last"`;
  return header;
}

function separated(links: string): string {
  return links === "" ? "" : `${links}, `;
}

/** An address ends at the first ">"; a client may send one as it is. */
function withoutEnd(text: string): string {
  return text.includes(">") ? text.replaceAll(">", "%3E") : text;
}

/** The `Link` header that leads to the records behind a cursor. */
export function nextLink({ baseUrl, client }: Call, cursor: string): string {
  const { before, behind } = around("_after", withoutEnd(client.search));
  return `<${baseUrl}${withoutEnd(client.path)}?${before}${cursor}${behind}>; rel="next"`;
}

/** Whether a rewrite rule says which page it is: then no address of the client's leads to another one. */
export function isPageOfRule({ client, target }: Call, name: "_page" | "_after"): boolean {
  if (client === target || target.search === client.search) return false;
  const page = parseParameters(target.search).get(name)?.[0];
  return page !== undefined && page !== parseParameters(client.search).get(name)?.[0];
}

/** The parts of a query string before and after the value of a parameter, `current` for a page. */
function around(name: "_page" | "_after", search: string, current?: number): { before: string; behind: string } {
  if (search === "") return { before: `${name}=`, behind: "" };
  const at = search.indexOf(`${name}=`);
  // Written as it is and for the first time, as in nearly all addresses: nothing needs to be decoded.
  if (at !== -1 && search.indexOf(name) === at && (at === 0 || search[at - 1] === "&") && !isEncoded(search, at)) {
    const end = search.indexOf("&", at);
    return { before: search.slice(0, at + name.length + 1), behind: end === -1 ? "" : search.slice(end) };
  }
  const pairs = search.split("&");
  let position = pairs.findIndex((pair) => pair.startsWith(`${name}=`) || parseParameters(pair).has(name));
  let label = `${name}=`;
  if (position === -1 && current !== undefined) {
    // 0.17.4: a middleware may take the number from a parameter of another name, such as `page=2`.
    position = pairs.findIndex((pair) => pair.endsWith(`page=${current}`));
    label = pairs[position]?.slice(0, -String(current).length) ?? label;
  }
  if (position === -1) return { before: `${search}&${label}`, behind: "" };
  const before = pairs.slice(0, position).map((pair) => `${pair}&`);
  const behind = pairs.slice(position + 1).map((pair) => `&${pair}`);
  return { before: before.join("") + label, behind: behind.join("") };
}

/** Whether there is an escape in front of a position. */
function isEncoded(search: string, end: number): boolean {
  const percent = search.indexOf("%");
  return percent !== -1 && percent < end;
}
