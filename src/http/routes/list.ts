import { parseQuery } from "../../query/parse.ts";
import type { Condition, Query } from "../../query/query.ts";
import { pageLinks, positionsOf } from "../../query/window.ts";
import { explainQuery } from "../../store/explain.ts";
import type { Exchange } from "../exchange.ts";
import {
  areCurrent,
  NO_KEYS,
  relatedNames,
  relationKeys,
  relationsOf,
  renderWithRelations,
} from "../relations/relations.ts";
import { isFresh, stampTag } from "../response/etag.ts";
import { isPageOfRule, linkHeader } from "../response/link.ts";
import { notModified, type Reply } from "../response/reply.ts";
import type { Service } from "../service.ts";

/** Answers a list; `given` are conditions that the path adds to those of the query. */
export async function list(
  exchange: Exchange,
  service: Service,
  collection: string,
  given: readonly Condition[] = [],
): Promise<Reply> {
  const { store } = service;
  const asked = parseQuery(exchange.parameters);
  const where = asked.where.filter(
    ({ path, operator }) => !given.some((one) => one.path.text === path.text && one.operator === operator),
  );
  const query: Query = { ...asked, where: [...given, ...where] };
  const preferences = preferencesOf(exchange);
  if (preferences.explain) return explain(service, collection, query);
  const stampOf = [collection, ...relatedNames(query)];
  // A strict request may be one to refuse, whatever the client has.
  if (exchange.req.headers["if-none-match"] !== undefined && !preferences.strict) {
    const tag = stampTag(await store.stamp(stampOf));
    if (isFresh(exchange.req.headers, tag)) return notModified(tag);
  }
  const asText = stampOf.length === 1;
  const keys = asText ? NO_KEYS : await relationKeys(service, collection, query);
  const found = await store.find(collection, query, {
    strict: preferences.strict,
    stampOf,
    asText,
    with: relationsOf(keys, store.idKey, query),
  });
  if (!asText && !(await areCurrent(keys, service, collection, query))) {
    return list(exchange, service, collection, given);
  }
  const { records, total, stamp, related } = found;
  const text = found.text ?? (await renderWithRelations(store, keys, records, query, related)).join(",");
  const headers = windowHeaders(exchange, collection, query, total);
  if (preferences.strict) headers["Preference-Applied"] = "handling=strict";
  return { status: 200, json: `[${text}]`, etag: stampTag(stamp!), headers };
}

/** `Prefer: explain`: not the records, but how they would be found. */
async function explain({ store }: Service, collection: string, query: Query): Promise<Reply> {
  const explanation = await explainQuery(store, collection, query);
  return { status: 200, json: JSON.stringify(explanation), headers: { "Preference-Applied": "explain" } };
}

function windowHeaders(exchange: Exchange, collection: string, query: Query, total: number): Record<string, string> {
  const { window } = query;
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

/** The preferences (RFC 7240) that a list knows: rather an error than a filter that is passed over, or the plan alone. */
function preferencesOf({ req }: Exchange): { strict: boolean; explain: boolean } {
  const header = req.headers.prefer;
  if (header === undefined) return { strict: false, explain: false };
  const wanted = String(header)
    .split(/[,;]/)
    .map((preference) => preference.replaceAll(/[\s"]/g, "").toLowerCase());
  return { strict: wanted.includes("handling=strict"), explain: wanted.includes("explain") };
}
