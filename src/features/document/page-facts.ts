import type { BoundParameter, EnvelopeRole } from "../../api-document/bind/binding.ts";
import type { Exchange } from "../../http/exchange.ts";
import type { Listed } from "../../http/routes/list.ts";
import { positionsOf } from "../../query/window.ts";
import type { RoleValue } from "./envelope.ts";
import { type ListParameters, writeCursor } from "./list-parameters.ts";

interface Page {
  readonly total: number;
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  /** Counted from 1. */
  readonly page: number;
}

/** The values of the fields around a list, each computed when the body has it. */
export function pageValues(exchange: Exchange, listed: Listed, { defaultLimit, turning }: ListParameters): RoleValue {
  const page = pageOf(listed, defaultLimit);
  const { total, from, to, limit } = page;
  const pages = Math.max(1, Math.ceil(total / limit));
  const hasMore = to < total;
  const hasPrevious = from > 0;
  const before = Math.max(0, from - limit);
  const urlOf = createTurner(exchange, turning, limit);
  // Hot path: a switch costs less than an object of functions for each request.
  return (role: EnvelopeRole) => {
    switch (role) {
      case "total":
        return total;
      case "count":
        return to - from;
      case "page":
        return page.page;
      case "pageIndex":
        return page.page - 1;
      case "limit":
        return limit;
      case "pages":
        return pages;
      case "offset":
        return from;
      case "nextUrl":
        return hasMore ? urlOf(to) : undefined;
      case "previousUrl":
        return hasPrevious ? urlOf(before) : undefined;
      case "firstUrl":
        return urlOf(0);
      case "lastUrl":
        return urlOf((pages - 1) * limit);
      case "selfUrl":
        return selfUrl(exchange);
      case "nextPage":
        return hasMore ? page.page + 1 : undefined;
      case "previousPage":
        return hasPrevious ? page.page - 1 : undefined;
      case "nextOffset":
        return hasMore ? to : undefined;
      case "nextCursor":
        return hasMore ? writeCursor(to) : undefined;
      case "previousCursor":
        return hasPrevious ? writeCursor(before) : undefined;
      case "hasMore":
        return hasMore;
      case "hasPrevious":
        return hasPrevious;
      case "isFirst":
        return !hasPrevious;
      case "isLast":
        return !hasMore;
    }
  };
}

function pageOf({ window, total }: Listed, defaultLimit: number | undefined): Page {
  if (window.kind === "after") return { total, from: 0, to: total, limit: window.limit, page: 1 };
  const { from, to } = positionsOf(window, total);
  const limit =
    window.kind === "page"
      ? window.limit
      : window.kind === "slice" && window.end !== undefined
        ? window.end - window.start
        : (defaultLimit ?? total);
  const size = Math.max(1, limit);
  return { total, from, to, limit: size, page: window.kind === "page" ? window.page : Math.floor(from / size) + 1 };
}

function selfUrl({ baseUrl, client }: Exchange): string {
  return `${baseUrl}${client.path}${client.search === "" ? "" : `?${client.search}`}`;
}

/** Makes the addresses of other parts of the list, in the words of the document. */
function createTurner(
  { baseUrl, client }: Exchange,
  turning: BoundParameter | undefined,
  limit: number,
): (start: number) => string | undefined {
  if (!turning) return () => undefined;
  const { name, role } = turning;
  let around: { readonly front: string; readonly behind: string } | undefined;
  return (start) => {
    around ??= withoutParameter(client.search, name);
    const number = Math.floor(start / limit);
    const value =
      role === "page" ? number + 1 : role === "pageIndex" ? number : role === "cursor" ? writeCursor(start) : start;
    return `${baseUrl}${client.path}?${around.front}${value}${around.behind}`;
  };
}

/** A query string up to the value of a parameter, and behind it. */
function withoutParameter(search: string, name: string): { front: string; behind: string } {
  const written = `${encodeURIComponent(name)}=`;
  // An address in a header ends at the first ">"; a client may send one as it is.
  const pairs = search === "" ? [] : search.replaceAll(">", "%3E").split("&");
  const at = pairs.findIndex((pair) => pair.startsWith(written) || pair.startsWith(`${name}=`));
  if (at === -1) return { front: [...pairs, written].join("&"), behind: "" };
  const behind = pairs.slice(at + 1);
  return { front: [...pairs.slice(0, at), written].join("&"), behind: behind.map((pair) => `&${pair}`).join("") };
}

/** The `Link` header of a page (RFC 8288); undefined where the document has no way to turn pages. */
export function linkOf(roleValue: RoleValue): string | undefined {
  const links = LINKS.flatMap(([relation, role]) => {
    const url = roleValue(role);
    return url === undefined ? [] : [`<${url}>; rel="${relation}"`];
  });
  return links.length === 0 ? undefined : links.join(", ");
}

const LINKS = [
  ["first", "firstUrl"],
  ["prev", "previousUrl"],
  ["next", "nextUrl"],
  ["last", "lastUrl"],
] as const;
