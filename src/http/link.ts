import { parseParameters } from "../query/parameters.ts";
import type { PageLinks } from "../query/window.ts";
import type { Exchange } from "./exchange.ts";

/** The `Link` header (RFC 8288) of a page: the address the client used, with another page number. */
export function linkHeader(exchange: Exchange, links: PageLinks): string {
  return Object.entries(links)
    .map(([relation, page]) => `<${pageUrl(exchange, page as number)}>; rel="${relation}"`)
    .join(", ");
}

function pageUrl({ baseUrl, client }: Exchange, page: number): string {
  const rest = client.search === "" ? [] : client.search.split("&");
  const position = rest.findIndex((pair) => parseParameters(pair).has("_page"));
  if (position === -1) rest.push(`_page=${page}`);
  else rest[position] = `_page=${page}`;
  return `${baseUrl}${client.path}?${rest.join("&")}`;
}
