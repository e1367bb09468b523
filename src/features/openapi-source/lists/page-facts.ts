import { isJsonObject, type Json, parseJson } from "../../../base/json/json.ts";
import type { Call } from "../../../http/call.ts";
import type { Listed } from "../../../http/routes/list-forms.ts";
import type { BoundParameter } from "../../../openapi/bind/binding.ts";
import type { EnvelopeRole } from "../../../openapi/bind/roles.ts";
import { positionsOf } from "../../../query/window.ts";
import type { WriteCursor } from "./cursors.ts";
import type { ListParameters } from "./list-parameters.ts";
import type { RoleValue } from "./role-value.ts";

interface Page {
  readonly total: number;
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  /** Counted from 1. */
  readonly page: number;
}

type PageValues = (call: Call, listed: Listed) => RoleValue;

/** Prepares the values of the fields around a list. */
export function createPageValues(
  { defaultLimit, turnings, writeCursor, sorting, totals, roles, before }: ListParameters,
  idKey: string,
): PageValues {
  const [turning] = turnings;
  const nextRole = (own: "cursor" | "offset") => (roles.has(own) ? own : turning?.role);
  const pages = {
    turnerOf: turnings.length > 1 ? asAsked(turnings, writeCursor) : createTurners(turning, writeCursor),
    isTurned: turning !== undefined,
    writeCursor,
    sorting,
    totals,
    cursorRole: nextRole("cursor"),
    offsetRole: nextRole("offset"),
    before,
    idKey,
  };
  return (call, listed) => valuesOf(call, listed, pageOf(listed, defaultLimit), pages);
}

interface Turning {
  readonly turnerOf: CreateTurner;
  /** Whether the document has a way to turn pages. */
  readonly isTurned: boolean;
  readonly writeCursor: WriteCursor;
  readonly sorting: BoundParameter | undefined;
  readonly totals: BoundParameter | undefined;
  /** The parameters that take the next cursor and the next offset. */
  readonly cursorRole: BoundParameter["role"] | undefined;
  readonly offsetRole: BoundParameter["role"] | undefined;
  readonly before: BoundParameter | undefined;
  readonly idKey: string;
}

/** Each value is computed when the body has it. */
function valuesOf(call: Call, listed: Listed, page: Page, turning: Turning): RoleValue {
  const { turnerOf, writeCursor, idKey } = turning;
  const { total, from, to, limit } = page;
  const pages = Math.max(1, Math.ceil(total / limit));
  // A client that is told of more, but cannot ask for it, asks for the same for ever.
  const hasMore = to < total && turning.isTurned;
  const hasPrevious = from > 0;
  const before = Math.max(0, from - limit);
  const urlOf = turnerOf(call, limit);
  // Hot path: a switch costs less than an object of functions for each request.
  return (role: EnvelopeRole) => {
    switch (role) {
      case "total":
        return isCounted(call, turning.totals) ? total : undefined;
      case "count":
        return to - from;
      case "page":
        return page.page;
      case "pageIndex":
        return page.page - 1;
      case "limit":
        return limit;
      case "pages":
        return isCounted(call, turning.totals) ? pages : undefined;
      case "offset":
        return from;
      case "position":
        return from + 1;
      case "end":
        return Math.max(from, to - 1);
      case "lastPosition":
        return to;
      case "nextUrl":
        return hasMore ? urlOf(to) : undefined;
      case "previousUrl":
        return hasPrevious ? urlOf(before) : undefined;
      case "firstUrl":
        return urlOf(0);
      case "lastUrl":
        return urlOf((pages - 1) * limit);
      case "selfUrl":
        return selfUrl(call);
      case "nextPage":
        return hasMore ? page.page + 1 : undefined;
      case "previousPage":
        return hasPrevious ? page.page - 1 : undefined;
      case "nextOffset":
        return hasMore ? valueFor(turning.offsetRole, to, limit, writeCursor) : undefined;
      case "previousOffset":
        return hasPrevious ? before : undefined;
      case "nextCursor":
        return hasMore ? valueFor(turning.cursorRole, to, limit, writeCursor) : undefined;
      case "previousCursor":
        return hasPrevious ? writeCursor(turning.before ? from : before) : undefined;
      case "currentCursor":
        return valueFor(turning.cursorRole, from, limit, writeCursor);
      case "hasMore":
        // A client that walks back asks whether there is more before.
        return isSent(call, turning.before) ? hasPrevious : hasMore;
      case "hasPrevious":
        return hasPrevious;
      case "isFirst":
        return !hasPrevious;
      case "isLast":
        return !hasMore;
      case "isEmpty":
        return to <= from;
      case "isSorted":
        return isSent(call, turning.sorting);
      case "isUnsorted":
        return !isSent(call, turning.sorting);
      case "isPaged":
        return turning.isTurned;
      case "isUnpaged":
        return !turning.isTurned;
      case "firstId":
        return idIn(listed, 0, idKey);
      case "lastId":
        return idIn(listed, -1, idKey);
      case "links":
        return undefined;
    }
  };
}

function isSent({ client }: Call, parameter: BoundParameter | undefined): boolean {
  return parameter !== undefined && new URLSearchParams(client.search).has(parameter.name);
}

function isCounted({ client }: Call, totals: BoundParameter | undefined): boolean {
  if (!totals) return true;
  const asked = new URLSearchParams(client.search).get(totals.name) ?? "";
  return totals.hiddenBy?.includes(asked.toLowerCase()) !== true;
}

/** The kind of position that the parameter which turns pages takes. */
function valueFor(
  role: BoundParameter["role"] | undefined,
  start: number,
  limit: number,
  writeCursor: WriteCursor,
): string | number {
  const number = Math.floor(start / limit);
  if (role === "cursor") return writeCursor(start);
  if (role === "position") return start + 1;
  return role === "page" ? number + 1 : role === "pageIndex" ? number : start;
}

function idIn({ text }: Listed, position: number, idKey: string): string | number | undefined {
  const record = (parseJson(`[${text}]`) as Json[]).at(position);
  const id = isJsonObject(record) ? record[idKey] : undefined;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
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

function selfUrl(call: Call): string {
  const search = searchOf(call);
  return `${call.baseUrl}${call.client.path}${search === "" ? "" : `?${search}`}`;
}

/** An address in a header ends at the first ">", and none has brackets; a client may send them as they are. */
function searchOf({ client: { search } }: Call): string {
  return /[>[\]]/.test(search) ? search.replace(/[>[\]]/g, encodeURIComponent) : search;
}

/** The address of the part of a list that starts at a position; undefined where the document has no way to turn pages. */
type Turner = (start: number) => string | undefined;
type CreateTurner = (call: Call, limit: number) => Turner;

const NO_TURNER: Turner = () => undefined;

/** `page[number]=2` leads to `page[number]=3`, and `page=2` to `page=3`. */
function asAsked(turnings: readonly BoundParameter[], writeCursor: WriteCursor): CreateTurner {
  const ways = new Map(turnings.map((one) => [one.name, createTurners(one, writeCursor)]));
  const usual = createTurners(turnings[0], writeCursor);
  return (call, limit) => {
    const sent = [...new URLSearchParams(call.client.search).keys()].find((name) => ways.has(name)) ?? "";
    return (ways.get(sent) ?? usual)(call, limit);
  };
}

/** Prepares the addresses of other parts of a list, in the words of the document. */
function createTurners(turning: BoundParameter | undefined, writeCursor: WriteCursor): CreateTurner {
  if (!turning) return () => NO_TURNER;
  const { name, role } = turning;
  const written = `${encodeURIComponent(name)}=`;
  const plain = `${name}=`;
  return (call, limit) => {
    let front: string | undefined;
    let behind = "";
    return (start) => {
      if (front === undefined) {
        const { baseUrl, client } = call;
        const search = searchOf(call);
        const at = positionIn(search, written, plain);
        const before = at !== -1 ? search.slice(0, at) : search === "" ? "" : `${search}&`;
        const end = at === -1 ? -1 : search.indexOf("&", at);
        if (end !== -1) behind = search.slice(end);
        front = `${baseUrl}${client.path}?${before}${written}`;
      }
      return `${front}${valueFor(role, start, limit, writeCursor)}${behind}`;
    };
  };
}

/** The position of the first parameter in a query string that starts in either way; -1 for none. */
function positionIn(search: string, written: string, plain: string): number {
  const at = startOf(search, written);
  if (plain === written) return at;
  const other = startOf(search, plain);
  return at === -1 ? other : other === -1 ? at : Math.min(at, other);
}

function startOf(search: string, text: string): number {
  if (search.startsWith(text)) return 0;
  const at = search.indexOf(`&${text}`);
  return at === -1 ? -1 : at + 1;
}

/** The `Link` header of a page (RFC 8288); undefined where the document has no way to turn pages. */
export function linkOf(roleValue: RoleValue): string | undefined {
  let header: string | undefined;
  for (const { role, relation } of LINKS) {
    const url = roleValue(role);
    if (url === undefined) continue;
    header = header === undefined ? `<${url}>${relation}` : `${header}, <${url}>${relation}`;
  }
  return header;
}

const LINKS = [
  { role: "firstUrl", relation: '; rel="first"' },
  { role: "previousUrl", relation: '; rel="prev"' },
  { role: "nextUrl", relation: '; rel="next"' },
  { role: "lastUrl", relation: '; rel="last"' },
] as const;
