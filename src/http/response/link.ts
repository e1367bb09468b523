import { parseParameters } from "../../query/parameters.ts";
import type { PageLinks } from "../../query/window.ts";
import type { Call } from "../call.ts";

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
    if (position !== -1) label = pairs[position]!.slice(0, -String(current).length);
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
