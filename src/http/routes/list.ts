import type { Eventually } from "../../base/eventually.ts";
import { stringifyJson } from "../../base/json/json.ts";
import { createProjection } from "../../query/fields.ts";
import { isCondition } from "../../query/filter.ts";
import { arrangeRows } from "../../query/group-rows.ts";
import { readQuery } from "../../query/parse-query.ts";
import type { Filter, Query } from "../../query/query.ts";
import { type CountedWindow, pageLinks, positionsOf } from "../../query/window.ts";
import { explainQuery } from "../../store/explain-query.ts";
import type { FindOptions, Found, GroupQuery, Reads } from "../../store/store.ts";
import type { Rendering, StoredRecord } from "../../store/stored-record.ts";
import type { Call, Preferences } from "../call.ts";
import type { DataService } from "../contract.ts";
import { explainRelations } from "../relations/explain-relations.ts";
import { isCurrent, planRelations, type RelatedCollection, simpleRelations } from "../relations/plan-relations.ts";
import { collectionsOf, readWishes } from "../relations/relation-wishes.ts";
import { renderWithRelations } from "../relations/render-relations.ts";
import { isFresh, isPageOfRule, linkHeader, nextLink, stampTag } from "../response/headers.ts";
import { notModified, type Reply } from "../response/reply.ts";
import { envelope, lastPage } from "./envelope.ts";
import { joinTexts } from "./join-texts.ts";
import { hintAtMistakes } from "./mistakes.ts";
import { projectedTexts } from "./projected-texts.ts";
import { refuseUnknownParts } from "./strict.ts";

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
  const isPlain = prefer === undefined && known === undefined && isOfRecords(query);
  return isPlain ? listPlainly(query, call, service, parts) : listInForm(query, call, service, parts);
}

/** Whether a list has whole records in it, as the store finds them. */
function isOfRecords({ embed, expand, fields, grouping, isEnveloped }: Query): boolean {
  return embed.length === 0 && expand.length === 0 && !fields && !grouping && !isEnveloped;
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
  if (listed instanceof Promise) return listed.then((one) => plainReply(one, call, service, parts));
  return plainReply(listed, call, service, parts);
}

function plainReply(listed: Listed, call: Call, service: DataService, parts: ListParts): Reply {
  const { collection, shape } = parts;
  if (listed.ignored) hintAtMistakes(service, collection, listed.ignored);
  return listReply(listed, headersOf(listed, call, parts), call, shape);
}

function headersOf(listed: Listed, call: Call, { collection, shape }: ListParts): Record<string, string> {
  return shape?.isPaged ? totalHeader(listed) : windowHeaders(call, collection, listed);
}

function listReply(listed: Listed, headers: Record<string, string>, call: Call, shape: ListShape | undefined): Reply {
  const etag = listTag(call, listed.stamp, shape);
  return shape
    ? shape.respond({ etag, headers }, listed, call)
    : { status: 200, json: `[${listed.text}]`, isAscii: listed.isAscii, etag, headers };
}

/** A list with relations, parts of records, rows or an envelope, or to a client with preferences or an older copy. */
async function listInForm(query: Query, call: Call, service: DataService, parts: ListParts): Promise<Reply> {
  const { collection } = parts;
  const { store } = service;
  // Unknown fields are refused where it is strict, even if the client has the list already.
  const { headers: requestHeaders, preferences, isStrict: strict } = call;
  const hasRelations = query.embed.length > 0 || query.expand.length > 0;
  const related = hasRelations ? { collection, wishes: readWishes(store, query) } : undefined;
  const stampOf = related ? [collection, ...collectionsOf(store, related.wishes)] : [collection];
  if (strict && (related || query.grouping)) await refuseUnknownParts(service, collection, query);
  if (preferences?.get("explain") === "") return explain(service, { collection, query, find: { strict } });
  if (requestHeaders["if-none-match"] !== undefined && !strict) {
    const tag = listTag(call, await store.stamp(stampOf), parts.shape);
    if (isFresh(requestHeaders, tag)) return notModified(tag);
  }
  const asText = !hasRelations && !query.fields && !parts.shape && query.window.kind !== "after";
  const search: Search = { collection, query, find: { strict, stampOf, asText, payer: call } };
  const listed = query.grouping
    ? await listRows(service, { ...search, query: query as GroupQuery })
    : related || query.fields || query.isEnveloped
      ? await listRecords(service, search, related)
      : await listedIn(parts.shape, await store.find(collection, query, search.find), query);
  if (!listed) return list(call, service, parts);
  if (listed.ignored) hintAtMistakes(service, collection, listed.ignored);
  const headers = headersOf(listed, call, parts);
  const applied = preferences ? await applyPreferences({ preferences, strict, headers, listed, search }, service) : "";
  if (applied !== "") headers["Preference-Applied"] = applied;
  const { "X-Total-Count": total, Link: link } = headers;
  const facts = { total: total === undefined ? undefined : Number(total), next: link && listed.next };
  const reply = { ...listReply(listed, headers, call, parts.shape), list: facts };
  if (!query.isEnveloped || parts.shape) return reply;
  return { ...reply, json: envelope(listed.window, listed.total, listed.text), isAscii: false };
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

interface Search<Q = Query> {
  readonly collection: string;
  readonly query: Q;
  readonly find: FindOptions;
}

/** The elements of a list as one text, and what the headers say of it. */
export interface Listed {
  readonly text: string;
  readonly isAscii?: boolean | undefined;
  /** Those in the text, in the form of the store or of the shape; undefined for rows, parts of records and relations. */
  readonly records?: readonly StoredRecord[] | undefined;
  readonly window: Query["window"];
  readonly total: number;
  readonly stamp: string;
  readonly next?: string | undefined;
  readonly ignored?: readonly string[] | undefined;
}

function listedIn(shape: ListShape | undefined, found: Found, query: Query): Eventually<Listed> {
  const rendering = shape?.rendering;
  const text = rendering ? joinTexts(found.records, (record) => record.textIn(rendering)) : textOf(found);
  return text instanceof Promise
    ? text.then((one) => asListed(one, found, query, found.records))
    : asListed(text, found, query, found.records);
}

function textOf({ text, records }: Found): Eventually<string> {
  return text ?? joinTexts(records, (record) => record.text);
}

function asListed(text: string, found: Found, { window }: Query, records?: Found["records"]): Listed {
  const { total, stamp, next, ignored, isAscii } = found;
  return { text, isAscii, records, window, total, stamp: stamp!, next, ignored };
}

async function listRecords(
  service: DataService,
  search: Search,
  related: RelatedCollection | undefined,
): Promise<Listed | undefined> {
  const { query } = search;
  const found = related ? await findWithRelations(service, search, related) : await findPlain(service, search);
  if (!found) return undefined;
  const { window } = query;
  const { total } = found;
  if (query.isEnveloped && window.kind === "page" && window.page > lastPage(window, total)) {
    const clamped = { ...query, window: { ...window, page: lastPage(window, total) } };
    return listRecords(service, { ...search, query: clamped }, related);
  }
  return asListed(await textOf(found), found, query);
}

async function findPlain({ store }: DataService, { collection, query, find }: Search): Promise<Found> {
  if (!query.fields) return store.find(collection, query, find);
  const found = await store.find(collection, query, find);
  const text = await joinTexts(found.records, projectedTexts(query.fields, found.records.length));
  return { ...found, text };
}

/** Undefined when another process has changed the foreign keys meanwhile. */
async function findWithRelations(
  service: DataService,
  { collection, query, find }: Search,
  request: RelatedCollection,
): Promise<Found | undefined> {
  const { store } = service;
  const plan = await planRelations(service, request);
  const found = await store.find(collection, query, { ...find, with: simpleRelations(plan) });
  if (!(await isCurrent(plan, service, request))) return undefined;
  const project = query.fields && createProjection(query.fields);
  const { records, related } = found;
  const texts = await renderWithRelations(store, { plan, records, related, project });
  return { ...found, text: await joinTexts(texts, (text) => text) };
}

async function listRows({ store }: DataService, { collection, query, find }: Search<GroupQuery>): Promise<Listed> {
  try {
    return await listGroups(store, { collection, query, find });
  } finally {
    query.payer?.account.release();
  }
}

async function listGroups(store: Reads, { collection, query, find }: Search<GroupQuery>): Promise<Listed> {
  const { rows, stamp, ignored } = await store.group(collection, query, find);
  const arranged = await arrangeRows(rows, query);
  const total = arranged.length;
  let window = query.window as CountedWindow;
  if (query.isEnveloped && window.kind === "page") {
    window = { ...window, page: Math.min(window.page, lastPage(window, total)) };
  }
  const { from, to } = positionsOf(window, total);
  const text = await joinTexts(arranged.slice(from, to), (row) => stringifyJson(row));
  return { text, window, total, stamp: stamp!, ignored };
}

/** `Prefer: explain`: the plan of the query instead of the records. */
async function explain(service: DataService, { collection, query, find }: Search): Promise<Reply> {
  const { store } = service;
  const explanation = await explainQuery(store, { collection, query, ...find });
  const plan = await planRelations(service, { collection, wishes: readWishes(store, query) });
  const json = JSON.stringify({ ...explanation, ...(plan.length > 0 && { relations: explainRelations(plan) }) });
  const applied = find.strict ? "handling=strict, explain" : "explain";
  return { status: 200, json, headers: { "Preference-Applied": applied } };
}

interface Applying {
  readonly preferences: Preferences;
  readonly strict: boolean;
  readonly headers: Record<string, string>;
  readonly listed: Listed;
  readonly search: Search;
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

/** The number of matches where a cursor leaves them uncounted. */
async function countAll(store: DataService["store"], { collection, query }: Search): Promise<number> {
  const { total } = await store.find(collection, { ...query, sort: [], window: { kind: "slice", start: 0, end: 0 } });
  return total;
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
