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
import { envelope } from "./envelope.ts";
import { joinTexts } from "./join-texts.ts";
import { countAll, explain, type Listed, type ListSearch, listRecords, listRows } from "./list-forms.ts";
import { refuseInList, refuseVain, warnOfList } from "./tell-mistakes.ts";

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
export async function list(call: Call, service: DataService, parts: ListParts): Promise<Reply> {
  const { collection, shape } = parts;
  const { store } = service;
  const { headers: requestHeaders, parameters, preferences, isStrict } = call;
  const query = withGiven(await readQuery(store, collection, parameters, call), parts.given);
  const hasRelations = query.embed.length > 0 || query.expand.length > 0;
  const related = hasRelations ? { collection, wishes: readWishes(service, query) } : undefined;
  const stampOf = related ? [collection, ...collectionsOf(service, related.wishes)] : [collection];
  // Unknown fields are refused even if the client has the list already.
  if (isStrict) await refuseInList(service, { collection, query, parameters });
  if (preferences?.get("explain") === "") return explain(service, { collection, query }, isStrict);
  if (requestHeaders["if-none-match"] !== undefined && !isStrict) {
    const tag = listTag(call, await store.stamp(stampOf), shape);
    if (isFresh(requestHeaders, tag)) return notModified(tag);
  }
  const asText = !hasRelations && !query.fields && !shape && query.window.kind !== "after";
  const search: ListSearch = { collection, query, find: { stampOf, asText, payer: call } };
  const listed = query.grouping
    ? await listRows(service, { ...search, query: query as GroupQuery })
    : related || query.fields || query.isEnveloped
      ? await listRecords(service, search, related)
      : await listedIn(shape, await store.find(collection, query, search.find), query);
  if (!listed) return list(call, service, parts);
  const { ignored, total } = listed;
  const headers = shape?.isPaged ? totalHeader(listed) : windowHeaders(call, collection, listed);
  if (!isStrict) Object.assign(headers, await warnOfList(service, { collection, query, parameters, ignored, total }));
  else if (total === 0) await refuseVain(service, collection, query);
  if (!preferences) return listReply(listed, headers, call, shape);
  const applied = await applyPreferences({ preferences, isStrict, headers, listed, search }, service);
  if (applied) headers["Preference-Applied"] = applied;
  const { "X-Total-Count": count, Link: link } = headers;
  const facts = { total: count === undefined ? undefined : Number(count), next: link && listed.next };
  return { ...listReply(listed, headers, call, shape), list: facts };
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

async function listedIn(shape: ListShape | undefined, found: Found, { window, isEnveloped }: Query): Promise<Listed> {
  const { records, total, stamp, next, ignored } = found;
  const rendering = shape?.rendering;
  const text = rendering
    ? await joinTexts(records, (record) => record.textIn(rendering))
    : (found.text ?? (await joinTexts(records, (record) => record.text)));
  return { text, records, window, total, stamp: stamp!, next, ignored, isEnveloped };
}

interface Applying {
  readonly preferences: Preferences;
  readonly isStrict: boolean;
  readonly headers: Record<string, string>;
  readonly listed: Listed;
  readonly search: ListSearch;
}

/** Applies `count=exact`; returns the value of `Preference-Applied`. */
async function applyPreferences(
  { preferences, isStrict, headers, listed, search }: Applying,
  { store }: DataService,
): Promise<string> {
  const applied = isStrict ? ["handling=strict"] : [];
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
