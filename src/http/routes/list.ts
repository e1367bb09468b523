import { parsePreferences } from "../../prefer.ts";
import { parseQuery } from "../../query/parse-query.ts";
import type { Condition, Query } from "../../query/query.ts";
import { pageLinks, positionsOf } from "../../query/window.ts";
import { explainQuery } from "../../store/explain-query.ts";
import type { FindOptions, Found } from "../../store/store.ts";
import type { Exchange } from "../exchange.ts";
import { areCurrent, relatedNames, relationKeys, relationsOf, renderWithRelations } from "../relations/relations.ts";
import { isFresh, stampTag } from "../response/etag.ts";
import { isPageOfRule, linkHeader } from "../response/link.ts";
import { notModified, type Reply } from "../response/reply.ts";
import type { Service } from "../service.ts";

interface ListParts {
  readonly collection: string;
  /** Conditions that the path adds to those of the query. */
  readonly given?: readonly Condition[];
}

/** Responds with a list of records. */
export async function list(exchange: Exchange, service: Service, parts: ListParts): Promise<Reply> {
  const { collection, given = [] } = parts;
  const query = queryOf(exchange, given);
  const { headers: requestHeaders } = exchange.req;
  const preferences = requestHeaders.prefer === undefined ? undefined : parsePreferences(requestHeaders.prefer);
  if (preferences?.get("explain") === "") return explain(service, collection, query);
  // Filters by unknown fields are refused then, even if the client has the list already.
  const strict = preferences?.get("handling")?.toLowerCase() === "strict";
  const hasRelations = query.embed.length > 0 || query.expand.length > 0;
  const stampOf = hasRelations ? [collection, ...relatedNames(query)] : [collection];
  if (requestHeaders["if-none-match"] !== undefined && !strict) {
    const tag = stampTag(await service.store.stamp(stampOf));
    if (isFresh(requestHeaders, tag)) return notModified(tag);
  }
  const find = { strict, stampOf, asText: !hasRelations };
  const found = hasRelations
    ? await findWithRelations(service, { collection, query, find })
    : await service.store.find(collection, query, find);
  if (!found) return list(exchange, service, parts);
  const text = found.text ?? found.records.map((record) => record.text).join(",");
  const headers = windowHeaders(exchange, { collection, window: query.window, total: found.total });
  if (strict) headers["Preference-Applied"] = "handling=strict";
  return { status: 200, json: `[${text}]`, etag: stampTag(found.stamp!), headers };
}

/** The conditions of the path win over those of the query on the same field. */
function queryOf(exchange: Exchange, given: readonly Condition[]): Query {
  const query = parseQuery(exchange.parameters);
  if (given.length === 0) return query;
  const where = query.where.filter(
    ({ path, operator }) => !given.some((one) => one.path.text === path.text && one.operator === operator),
  );
  return { ...query, where: [...given, ...where] };
}

interface Search {
  readonly collection: string;
  readonly query: Query;
  readonly find: FindOptions;
}

/** Undefined when another process has changed the foreign keys meanwhile. */
async function findWithRelations(service: Service, { collection, query, find }: Search): Promise<Found | undefined> {
  const { store } = service;
  const request = { collection, embed: query.embed, expand: query.expand };
  const keys = await relationKeys(service, request);
  const found = await store.find(collection, query, { ...find, with: relationsOf(keys, store.idKey, query) });
  if (!(await areCurrent(keys, service, request))) return undefined;
  const texts = await renderWithRelations(store, { ...request, keys, records: found.records, related: found.related });
  return { ...found, text: texts.join(",") };
}

/** `Prefer: explain`: the plan of the query instead of the records. */
async function explain({ store }: Service, collection: string, query: Query): Promise<Reply> {
  const explanation = await explainQuery(store, collection, query);
  return { status: 200, json: JSON.stringify(explanation), headers: { "Preference-Applied": "explain" } };
}

interface Listed {
  readonly collection: string;
  readonly window: Query["window"];
  readonly total: number;
}

function windowHeaders(exchange: Exchange, { collection, window, total }: Listed): Record<string, string> {
  if (window.kind === "all") return {};
  const headers: Record<string, string> = { "X-Total-Count": String(total) };
  if (window.kind === "page") {
    if (!isPageOfRule(exchange)) headers.Link = linkHeader(exchange, pageLinks(window, total));
  } else {
    const { from, to } = positionsOf(window, total);
    const range = from === to ? "*" : `${from}-${to - 1}`;
    headers["Content-Range"] = `${encodeURIComponent(collection)} ${range}/${total}`;
  }
  return headers;
}
