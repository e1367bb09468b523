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
  const urlOf = (start: number): string | undefined => turning && turned(exchange, turning, { ...page, start });
  const before = Math.max(0, from - limit);
  const values: { readonly [role in EnvelopeRole]: () => string | number | boolean | undefined } = {
    total: () => total,
    count: () => to - from,
    page: () => page.page,
    pageIndex: () => page.page - 1,
    limit: () => limit,
    pages: () => pages,
    offset: () => from,
    nextUrl: () => (hasMore ? urlOf(to) : undefined),
    previousUrl: () => (hasPrevious ? urlOf(before) : undefined),
    firstUrl: () => urlOf(0),
    lastUrl: () => urlOf((pages - 1) * limit),
    selfUrl: () => selfUrl(exchange),
    nextPage: () => (hasMore ? page.page + 1 : undefined),
    previousPage: () => (hasPrevious ? page.page - 1 : undefined),
    nextOffset: () => (hasMore ? to : undefined),
    nextCursor: () => (hasMore ? writeCursor(to) : undefined),
    previousCursor: () => (hasPrevious ? writeCursor(before) : undefined),
    hasMore: () => hasMore,
    hasPrevious: () => hasPrevious,
    isFirst: () => !hasPrevious,
    isLast: () => !hasMore,
  };
  return (role) => values[role]();
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

/** The address of another part of the list, in the words of the document. */
function turned(
  { baseUrl, client }: Exchange,
  { name, role }: BoundParameter,
  { start, limit }: Page & { readonly start: number },
): string {
  const search = new URLSearchParams(client.search);
  const number = Math.floor(start / limit);
  const value =
    role === "page" ? number + 1 : role === "pageIndex" ? number : role === "cursor" ? writeCursor(start) : start;
  search.set(name, String(value));
  return `${baseUrl}${client.path}?${search}`;
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
