import { StandinError } from "../../errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../json.ts";
import { parseQuery } from "../../query/parse.ts";
import type { Condition, Query } from "../../query/query.ts";
import { pageLinks, positionsOf } from "../../query/window.ts";
import { idOf } from "../../store/ids.ts";
import type { StoredRecord } from "../../store/stored-record.ts";
import { readBody } from "../body.ts";
import { isFresh, recordTag, stampTag } from "../etag.ts";
import type { Exchange } from "../exchange.ts";
import { linkHeader } from "../link.ts";
import { locationOf } from "../location.ts";
import { relatedNames, renderWithRelations } from "../relations.ts";
import { notModified, type Reply } from "../reply.ts";
import type { Route } from "../router.ts";
import type { Service } from "../service.ts";

/** `/products`: list and create. */
export const collectionRoute: Route<{ collection: string }> = {
  GET: (exchange, service, { collection }) => list(exchange, service, collection),
  POST: (exchange, service, { collection }) => create(exchange, service, collection),
};

/** Answers a list; `given` are conditions that the path adds to those of the query. */
export async function list(
  exchange: Exchange,
  service: Service,
  collection: string,
  given: readonly Condition[] = [],
): Promise<Reply> {
  const { store, settings } = service;
  const asked = parseQuery(exchange.parameters);
  const where = asked.where.filter(
    ({ path, operator }) => !given.some((one) => one.path.text === path.text && one.operator === operator),
  );
  const query: Query = { ...asked, where: [...given, ...where] };
  const etag = stampTag(await store.stamp([collection, ...relatedNames(query)]));
  if (isFresh(exchange.req.headers, etag)) return notModified(etag);

  const strict = wantsStrictHandling(exchange);
  const { records, total } = await store.find(collection, query, { strict });
  const texts = await renderWithRelations(store, settings.foreignKeySuffix, collection, records, query);
  const headers = windowHeaders(exchange, collection, query, total);
  if (strict) headers["Preference-Applied"] = "handling=strict";
  return { status: 200, json: `[${texts.join(",")}]`, etag, headers };
}

/** Creates one record, or all of an array; `given` are fields that the path decides. */
export async function create(
  exchange: Exchange,
  service: Service,
  collection: string,
  given: JsonObject = {},
): Promise<Reply> {
  const { store, settings } = service;
  const body = await readBody(exchange.req, settings.maxBodyBytes);
  const isArray = Array.isArray(body);
  const bodies = (isArray ? body : [body]).map((one) => ({ ...asObject(one), ...given }));
  const change = await store.apply({ kind: "create", collection, bodies });
  const created = change.edits.map((edit) => edit.after as StoredRecord);
  if (isArray) return { status: 201, json: `[${created.map((record) => record.text).join(",")}]` };
  const record = created[0]!;
  const id = String(idOf(record.value, store.idKey));
  return {
    status: 201,
    json: record.text,
    etag: recordTag(store, record),
    headers: { Location: locationOf(exchange, service, collection, id) },
  };
}

/** A body that must be an object; none at all is an empty one, as in 0.17. */
export function asObject(body: Json | undefined): JsonObject {
  if (body === undefined) return {};
  if (isJsonObject(body)) return body;
  const found = Array.isArray(body) ? "an array" : body === null ? "null" : `a ${typeof body}`;
  throw new StandinError("BODY_NOT_OBJECT", `A record must be a JSON object, not ${found}.`);
}

function windowHeaders(exchange: Exchange, collection: string, query: Query, total: number): Record<string, string> {
  const { window } = query;
  if (window.kind === "all") return {};
  const headers: Record<string, string> = { "X-Total-Count": String(total) };
  if (window.kind === "page") {
    headers.Link = linkHeader(exchange, pageLinks(window, total));
  } else {
    const { from, to } = positionsOf(window, total);
    const range = from === to ? "*" : `${from}-${to - 1}`;
    headers["Content-Range"] = `${encodeURIComponent(collection)} ${range}/${total}`;
  }
  return headers;
}

/** `Prefer: handling=strict` (RFC 7240): rather an error than a filter that is passed over. */
function wantsStrictHandling({ req }: Exchange): boolean {
  const header = req.headers.prefer;
  if (header === undefined) return false;
  return /(^|[,;])\s*handling\s*=\s*"?strict"?\s*($|[,;])/i.test(String(header));
}
