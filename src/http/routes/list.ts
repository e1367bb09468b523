import { StandinError } from "../../base/errors.ts";
import type { Eventually } from "../../base/eventually.ts";
import { isCondition } from "../../query/filter.ts";
import { readQuery } from "../../query/parse-query.ts";
import type { Filter, Query } from "../../query/query.ts";
import { pageLinks, positionsOf } from "../../query/window.ts";
import type { Found, GroupQuery } from "../../store/store.ts";
import type { Rendering } from "../../store/stored-record.ts";
import type { Call } from "../call.ts";
import type { DataService } from "../contract.ts";
import type { Preferences } from "../preferences.ts";
import { collectionsOf, readWishes } from "../relations/relation-wishes.ts";
import { isFresh, isPageOfRule, linkHeader, nextLink, stampTag } from "../response/headers.ts";
import { notModified, type Reply } from "../response/reply.ts";
import { envelope, isBeyondLast } from "./envelope.ts";
import { joinTexts } from "./join-texts.ts";
import { countAll, explain, type Listed, type ListSearch, listRecords, listRows } from "./list-forms.ts";
import { knownPaths, warnOfList, warnOfPlainList } from "./mistakes.ts";
import { odditiesOf, pageBelowFirst } from "./oddities.ts";
import { refuseUnknownParts, refuseVain } from "./strict.ts";

interface ListParts {
  readonly collection: string;
  readonly given?: GivenFilter | undefined;
  readonly shape?: ListShape | undefined;
}

/** Another form of a list than an array of records. */
export interface ListShape {
  /** The end of its tags. */
  readonly mark: string;
  /** Renders each record; its own text without this. */
  readonly rendering?: Rendering | undefined;
  /** Whether it says itself where other pages are; of the usual headers it then gets the number of records alone. */
  readonly isPaged?: boolean;
  /** Adds the body to a reply, whose headers it may change. */
  respond(reply: ShapedReply, listed: Listed, call: Call): Reply;
}

/** A reply that still lacks its body. */
export interface ShapedReply {
  readonly etag: string;
  readonly headers: Record<string, string>;
}

/** A filter that the path adds to those of the query. */
export interface GivenFilter {
  readonly filter: Filter;
  /** The field that the path decides: a plain filter of the query on it is ignored, as in 0.17. */
  readonly field: string | undefined;
}

/** Responds with a list of records, or of the rows that they are grouped into. */
export function list(call: Call, service: DataService, parts: ListParts): Eventually<Reply> {
  const query = readQuery(service.store, parts.collection, call.parameters, call);
  if (query instanceof Promise) return query.then((one) => listFor(withGiven(one, parts.given), call, service, parts));
  return listFor(withGiven(query, parts.given), call, service, parts);
}

function listFor(query: Query, call: Call, service: DataService, parts: ListParts): Eventually<Reply> {
  const { prefer, "if-none-match": known } = call.headers;
  const isPlain = prefer === undefined && known === undefined && isOfRecords(query, parts);
  return isPlain ? listPlainly(query, call, service, parts) : listInForm(query, call, service, parts);
}

/** Whether a list has whole records in it, as the store finds them. */
function isOfRecords({ embed, expand, fields, grouping, isEnveloped }: Query, { shape }: ListParts): boolean {
  return embed.length === 0 && expand.length === 0 && !fields && !grouping && !(isEnveloped && shape);
}

/** Hot path: most lists. Positional parameters, and no promise where the store can do without one. */
function listPlainly(query: Query, call: Call, service: DataService, parts: ListParts): Eventually<Reply> {
  const { collection, shape } = parts;
  const asText = !shape && query.window.kind !== "after";
  const found = service.store.find(collection, query, {
    strict: false,
    stampOf: [collection],
    asText,
    payer: call,
  });
  const listed =
    found instanceof Promise ? found.then((one) => listedIn(shape, one, query)) : listedIn(shape, found, query);
  if (listed instanceof Promise) return listed.then((one) => plainReply(one, query, call, service, parts));
  return plainReply(listed, query, call, service, parts);
}

function plainReply(
  listed: Listed,
  query: Query,
  call: Call,
  service: DataService,
  parts: ListParts,
): Eventually<Reply> {
  if (listed.isEnveloped && isBeyondLast(listed)) return listInForm(query, call, service, parts);
  const { collection, shape } = parts;
  const headers = headersOf(listed, call, parts);
  const odd = odditiesOf(query, listed.total, call.parameters);
  const warned =
    !odd && isFlawless(service, collection, listed)
      ? undefined
      : warnOfPlainList(service, collection, { ...listed, odd });
  if (!warned) return listReply(listed, headers, call, shape);
  return warned.then((more) => listReply(listed, { ...headers, ...more }, call, shape));
}

/** Hot path: usually, nothing was ignored, and the order is by fields that records have. */
function isFlawless({ store }: DataService, collection: string, { ignored, sort }: Listed): boolean {
  if (ignored || !sort) return !ignored;
  const known = knownPaths.get(store);
  return sort.every(({ path, unknownOrder }) => !unknownOrder && known?.has(`${collection}?${path.text}`));
}

function headersOf(listed: Listed, call: Call, { collection, shape }: ListParts): Record<string, string> {
  return shape?.isPaged ? totalHeader(listed) : windowHeaders(call, collection, listed);
}

function listReply(listed: Listed, headers: Record<string, string>, call: Call, shape: ListShape | undefined): Reply {
  const etag = listTag(call, listed.stamp, shape);
  if (shape) return shape.respond({ etag, headers }, listed, call);
  const { text, window, total } = listed;
  return {
    status: 200,
    json: listed.isEnveloped ? envelope(window, total, text) : `[${text}]`,
    etag,
    headers,
  };
}

/** A list with relations, parts of records or rows, or to a client with preferences or an older copy. */
async function listInForm(query: Query, call: Call, service: DataService, parts: ListParts): Promise<Reply> {
  const { collection } = parts;
  const { store } = service;
  // Unknown fields are refused where it is strict, even if the client has the list already.
  const { headers: requestHeaders, preferences, isStrict: strict } = call;
  const hasRelations = query.embed.length > 0 || query.expand.length > 0;
  const related = hasRelations ? { collection, wishes: readWishes(service, query) } : undefined;
  const stampOf = related ? [collection, ...collectionsOf(service, related.wishes)] : [collection];
  if (strict && (related || query.grouping || query.sort.length > 0))
    await refuseUnknownParts(service, collection, query);
  const [page] = strict ? pageBelowFirst(query, call.parameters) : [];
  if (page !== undefined) throw new StandinError("QUERY_INVALID", page);
  if (preferences?.get("explain") === "") return explain(service, { collection, query, find: { strict } });
  if (requestHeaders["if-none-match"] !== undefined && !strict) {
    const tag = listTag(call, await store.stamp(stampOf), parts.shape);
    if (isFresh(requestHeaders, tag)) return notModified(tag);
  }
  const asText = !hasRelations && !query.fields && !parts.shape && query.window.kind !== "after";
  const search: ListSearch = { collection, query, find: { strict, stampOf, asText, payer: call } };
  const listed = query.grouping
    ? await listRows(service, { ...search, query: query as GroupQuery })
    : related || query.fields || query.isEnveloped
      ? await listRecords(service, search, related)
      : await listedIn(parts.shape, await store.find(collection, query, search.find), query);
  if (!listed) return list(call, service, parts);
  const headers = headersOf(listed, call, parts);
  if (!strict) {
    const odd = odditiesOf(query, listed.total, call.parameters);
    Object.assign(headers, await warnOfList(service, { collection, query, ignored: listed.ignored, odd }));
  } else if (listed.total === 0) await refuseVain(service, collection, query);
  const applied = preferences ? await applyPreferences({ preferences, strict, headers, listed, search }, service) : "";
  if (applied !== "") headers["Preference-Applied"] = applied;
  const { "X-Total-Count": total, Link: link } = headers;
  const facts = { total: total === undefined ? undefined : Number(total), next: link && listed.next };
  return { ...listReply(listed, headers, call, parts.shape), list: facts };
}

/** The tag of a list; with QUERY, whose address does not tell what is asked, it depends on the body, too. */
function listTag({ bodyMark }: Call, stamp: string, shape: ListShape | undefined): string {
  const marked = shape ? stamp + shape.mark : stamp;
  return stampTag(bodyMark === "" ? marked : `${marked}.${bodyMark}`);
}

/** Adds the filter of the path to a query. */
export function withGiven(query: Query, given: GivenFilter | undefined): Query {
  if (!given) return query;
  const isDecided = (filter: Filter): boolean =>
    isCondition(filter) && filter.isPlain === true && filter.path.text === given.field;
  return { ...query, where: [given.filter, ...query.where.filter((filter) => !isDecided(filter))] };
}

function listedIn(shape: ListShape | undefined, found: Found, query: Query): Eventually<Listed> {
  const rendering = shape?.rendering;
  const text = rendering ? joinTexts(found.records, (record) => record.textIn(rendering)) : textOf(found);
  return text instanceof Promise ? text.then((one) => asListed(one, found, query)) : asListed(text, found, query);
}

function textOf({ text, records }: Found): Eventually<string> {
  return text ?? joinTexts(records, (record) => record.text);
}

function asListed(text: string, found: Found, query: Query): Listed {
  const { records, total, stamp, next, ignored } = found;
  const sort = query.sort.length === 0 ? undefined : query.sort;
  const { window, isEnveloped } = query;
  return { text, records, window, total, stamp: stamp!, next, ignored, sort, isEnveloped };
}

interface Applying {
  readonly preferences: Preferences;
  readonly strict: boolean;
  readonly headers: Record<string, string>;
  readonly listed: Listed;
  readonly search: ListSearch;
}

/** Applies `count=exact`; returns the value of `Preference-Applied`. */
async function applyPreferences(
  { preferences, strict, headers, listed, search }: Applying,
  { store }: DataService,
): Promise<string> {
  const applied = strict ? ["handling=strict"] : [];
  if (preferences.get("count")?.toLowerCase() === "exact") {
    headers["X-Total-Count"] ??= String(listed.window.kind === "after" ? await countAll(store, search) : listed.total);
    applied.push("count=exact");
  }
  return applied.join(", ");
}

function totalHeader({ window, total }: Listed): Record<string, string> {
  return window.kind === "all" || window.kind === "after" ? {} : { "X-Total-Count": String(total) };
}

function windowHeaders(call: Call, collection: string, { window, total, next }: Listed): Record<string, string> {
  switch (window.kind) {
    case "all":
      return {};
    case "after":
      return next === undefined || isPageOfRule(call, "_after") ? {} : { Link: nextLink(call, next) };
    case "page":
      if (isPageOfRule(call, "_page")) return { "X-Total-Count": String(total) };
      return { "X-Total-Count": String(total), Link: linkHeader(call, pageLinks(window, total), window.page) };
    case "slice": {
      const { from, to } = positionsOf(window, total);
      const range = from === to ? "*" : `${from}-${to - 1}`;
      return {
        "X-Total-Count": String(total),
        "Content-Range": `${encodeURIComponent(collection)} ${range}/${total}`,
      };
    }
  }
}
