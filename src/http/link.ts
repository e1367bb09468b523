import { parseParameters } from "../query/parameters.ts";
import type { PageLinks } from "../query/window.ts";
import type { Exchange } from "./exchange.ts";

/** The `Link` header (RFC 8288) of a page: the address the client used, with another page number. */
export function linkHeader(exchange: Exchange, links: PageLinks): string {
  const { before, behind } = aroundThePage(exchange.client.search);
  const start = `<${exchange.baseUrl}${exchange.client.path}?${before}_page=`;
  let header = "";
  for (const relation in links) {
    const link = `${start}${links[relation as keyof PageLinks]}${behind}>; rel="${relation}"`;
    header = header === "" ? link : `${header}, ${link}`;
  }
  return header;
}

/** What stands before and behind the page number of a query string. */
function aroundThePage(search: string): { before: string; behind: string } {
  if (search === "") return { before: "", behind: "" };
  const pairs = search.split("&");
  const position = pairs.findIndex(isPage);
  if (position === -1) return { before: `${search}&`, behind: "" };
  const before = pairs.slice(0, position).map((pair) => `${pair}&`);
  const behind = pairs.slice(position + 1).map((pair) => `&${pair}`);
  return { before: before.join(""), behind: behind.join("") };
}

function isPage(pair: string): boolean {
  return pair.startsWith("_page=") || parseParameters(pair).has("_page");
}
