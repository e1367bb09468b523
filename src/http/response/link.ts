import { parseParameters } from "../../query/parameters.ts";
import type { PageLinks } from "../../query/window.ts";
import type { Exchange } from "../exchange.ts";

/** The `Link` header (RFC 8288) of a page: the address the client used, with another page number. */
export function linkHeader(exchange: Exchange, links: PageLinks): string {
  const { baseUrl, client } = exchange;
  // An address ends at the first ">"; a client may send one as it is.
  const { before, behind } = around("_page", client.search.replaceAll(">", "%3E"));
  const start = `<${baseUrl}${client.path.replaceAll(">", "%3E")}?${before}_page=`;
  let header = "";
  for (const relation in links) {
    const link = `${start}${links[relation as keyof PageLinks]}${behind}>; rel="${relation}"`;
    header = header === "" ? link : `${header}, ${link}`;
  }
  return header;
}

/** The `Link` header that leads to the records behind a cursor. */
export function nextLink({ baseUrl, client }: Exchange, cursor: string): string {
  const { before, behind } = around("_after", client.search.replaceAll(">", "%3E"));
  return `<${baseUrl}${client.path.replaceAll(">", "%3E")}?${before}_after=${cursor}${behind}>; rel="next"`;
}

/** Whether a rewrite rule says which page it is: then no address of the client's leads to another one. */
export function isPageOfRule({ client, target }: Exchange, name: "_page" | "_after"): boolean {
  if (client === target || target.search === client.search) return false;
  const page = parseParameters(target.search).get(name)?.[0];
  return page !== undefined && page !== parseParameters(client.search).get(name)?.[0];
}

/** The parts of a query string before and after a parameter. */
function around(name: "_page" | "_after", search: string): { before: string; behind: string } {
  if (search === "") return { before: "", behind: "" };
  const pairs = search.split("&");
  const position = pairs.findIndex((pair) => pair.startsWith(`${name}=`) || parseParameters(pair).has(name));
  if (position === -1) return { before: `${search}&`, behind: "" };
  const before = pairs.slice(0, position).map((pair) => `${pair}&`);
  const behind = pairs.slice(position + 1).map((pair) => `&${pair}`);
  return { before: before.join(""), behind: behind.join("") };
}
