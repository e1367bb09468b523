import { StandinError } from "../../errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../json.ts";
import { idOf } from "../../store/ids.ts";
import type { StoredRecord } from "../../store/stored-record.ts";
import { readBody } from "../body/body.ts";
import type { Exchange } from "../exchange.ts";
import { recordTag } from "../response/etag.ts";
import type { Reply } from "../response/reply.ts";
import type { Route, Service } from "../service.ts";
import { list } from "./list.ts";
import { byQuery } from "./query-body.ts";

/** `/products`: list and create. */
export const collectionRoute: Route<{ collection: string }> = {
  GET: list,
  POST: create,
  QUERY: byQuery(list),
};

interface CreateParts {
  readonly collection: string;
  /** Fields that the path decides. */
  readonly given?: JsonObject;
}

/** Creates one record, or all of an array. */
export async function create(exchange: Exchange, service: Service, { collection, given }: CreateParts): Promise<Reply> {
  const { store, settings } = service;
  const body = await readBody(exchange.req, settings.maxBodyBytes, store.idKey);
  const isArray = Array.isArray(body);
  const bodies = (isArray ? body : [body]).map((one) => (given ? { ...asObject(one), ...given } : asObject(one)));
  const change = await store.apply({ kind: "create", collection, bodies });
  const created = change.edits.map((edit) => edit.after as StoredRecord);
  if (isArray) return { status: 201, json: `[${created.map((record) => record.text).join(",")}]` };
  const record = created[0]!;
  const id = String(idOf(record.value, store.idKey));
  return {
    status: 201,
    json: record.text,
    etag: recordTag(store, record),
    headers: { Location: locationOf(exchange, service, { collection, id }) },
  };
}

/**
 * The absolute URL of a record. After a rewrite it is the client's own path plus the id, provided that this leads to the
 * record; so a client of `/api/v1/products` stays under `/api/v1`.
 */
function locationOf(
  exchange: Exchange,
  { rewriter }: Service,
  { collection, id }: { collection: string; id: string },
): string {
  const plain = `/${encodeURIComponent(collection)}/${encodeURIComponent(id)}`;
  if (exchange.client !== exchange.target) {
    const own = `${exchange.client.path.replace(/\/$/, "")}/${encodeURIComponent(id)}`;
    if (rewriter.rewrite({ path: own, search: "" }).path === plain) return `${exchange.baseUrl}${own}`;
  }
  return `${exchange.baseUrl}${plain}`;
}

/** Expects a body to be an object. No body counts as an empty one, as in 0.17. */
export function asObject(body: Json | undefined): JsonObject {
  if (body === undefined) return {};
  if (isJsonObject(body)) return body;
  const found = Array.isArray(body) ? "an array" : body === null ? "null" : `a ${typeof body}`;
  throw new StandinError("BODY_NOT_OBJECT", `A record must be a JSON object, not ${found}.`);
}
