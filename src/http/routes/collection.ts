import { StandinError } from "../../errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../json.ts";
import { idOf } from "../../store/ids.ts";
import type { StoredRecord } from "../../store/stored-record.ts";
import { readBody } from "../body/body.ts";
import type { Exchange } from "../exchange.ts";
import { recordTag } from "../response/etag.ts";
import { locationOf } from "../response/location.ts";
import type { Reply } from "../response/reply.ts";
import type { Route, Service } from "../service.ts";
import { list } from "./list.ts";

/** `/products`: list and create. */
export const collectionRoute: Route<{ collection: string }> = {
  GET: (exchange, service, { collection }) => list(exchange, service, collection),
  POST: (exchange, service, { collection }) => create(exchange, service, collection),
};

/** Creates one record, or all of an array; `given` are fields that the path decides. */
export async function create(
  exchange: Exchange,
  service: Service,
  collection: string,
  given?: JsonObject,
): Promise<Reply> {
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
