import { StandinError } from "../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import { idOf } from "../../store/ids.ts";
import type { TransactionWrite, Write } from "../../store/store.ts";
import type { StoredRecord } from "../../store/stored-record.ts";
import { type Resolution, type Upserted, upsert } from "../../store/upsert.ts";
import type { Call } from "../call.ts";
import type { DataService, Route } from "../contract.ts";
import type { Reply } from "../response/reply.ts";
import { patchByFilter, removeByFilter } from "./by-filter.ts";
import { asApplied, asObject, carryOut, resolutionOf, shownRecord, writePreferences } from "./carry-out.ts";
import { list } from "./list.ts";
import { byQuery } from "./query-body.ts";
import type { RecordShape } from "./record-shape.ts";

/** `/products`: list, create, and change or remove by filter. */
export const collectionRoute: Route<{ collection: string }, DataService> = {
  GET: list,
  POST: createRecords,
  PATCH: patchByFilter,
  DELETE: removeByFilter,
  QUERY: byQuery(list),
};

interface CreateParts {
  readonly collection: string;
  /** Fields that the path decides. */
  readonly given?: JsonObject | undefined;
  readonly shape?: RecordShape | undefined;
}

/** Creates one record, or all of an array; with a resolution, only those that are not there. */
export async function createRecords(call: Call, service: DataService, parts: CreateParts): Promise<Reply> {
  return await createFrom(await call.body(), call, service, parts);
}

export async function createFrom(
  body: Json | undefined,
  call: Call,
  service: DataService,
  { collection, given, shape }: CreateParts,
): Promise<Reply> {
  const preferences = writePreferences(call);
  const isArray = Array.isArray(body);
  const bodies = isArray ? body.map((one) => complete(one, given)) : [complete(body, given)];
  const resolution = preferences && resolutionOf(preferences);
  if (resolution) return createOrResolve(call, service, { collection, bodies, isArray, resolution, shape });
  const write: Write = { kind: "create", collection, bodies };
  return carryOut(call, service, write, ({ edits }) => {
    const records = edits.map((edit) => edit.after as StoredRecord);
    const reply = creationReply(call, service, { collection, records, isArray, isCreated: true, shape });
    return asApplied(reply, preferences);
  });
}

export function complete(body: Json | undefined, given: JsonObject | undefined): JsonObject {
  const record = isJsonObject(body) ? body : asObject(body);
  return given ? { ...record, ...given } : record;
}

interface Resolving {
  readonly collection: string;
  readonly bodies: readonly JsonObject[];
  readonly isArray: boolean;
  readonly resolution: Resolution;
  readonly shape: RecordShape | undefined;
}

async function createOrResolve(call: Call, service: DataService, wish: Resolving): Promise<Reply> {
  const { collection, bodies, isArray, resolution, shape } = wish;
  const idKey = service.store.idKeyOf(collection);
  const key = call.parameters.get("_on")?.[0] ?? idKey;
  if (key === "") throw new StandinError("QUERY_INVALID", "_on is empty; name the field that records are found by.");
  const preferences = writePreferences(call);
  let upserted: Upserted = { records: [], isCreated: false };
  const write: TransactionWrite = {
    kind: "transaction",
    members: [collection],
    *run(data) {
      upserted = yield* upsert(data, { collection, bodies, key, idKey, resolution });
    },
  };
  return carryOut(call, service, write, () => {
    const reply = creationReply(call, service, { collection, isArray, ...upserted, shape });
    return asApplied(shownRecord(call, reply), preferences, [`resolution=${resolution}`]);
  });
}

interface Created {
  readonly collection: string;
  readonly records: readonly StoredRecord[];
  readonly isArray: boolean;
  readonly isCreated: boolean;
  readonly shape: RecordShape | undefined;
}

function creationReply(call: Call, service: DataService, created: Created): Reply {
  const { collection, records, isArray, isCreated, shape } = created;
  const { store } = service;
  const status = isCreated ? 201 : 200;
  if (isArray) return { status, json: `[${records.map((record) => record.text).join(",")}]` };
  const record = records[0]!;
  const etag = record.tag(store, shape?.mark);
  if (shape) return shape.respond({ status, json: record.text, etag }, record, call);
  if (!isCreated) return { status, json: record.text, etag };
  const id = String(idOf(record.value, store.idKeyOf(collection)));
  return { status, json: record.text, etag, headers: { Location: locationOf(call, service, { collection, id }) } };
}

/**
 * The absolute URL of a record. After a rewrite it is the client's own path plus the id, provided that this leads to the
 * record; so a client of `/api/v1/products` stays under `/api/v1`.
 */
function locationOf(
  call: Call,
  { rewriter }: DataService,
  { collection, id }: { collection: string; id: string },
): string {
  const plain = `/${encodeURIComponent(collection)}/${encodeURIComponent(id)}`;
  if (call.client !== call.target) {
    const clientPath = `${call.client.path.replace(/\/$/, "")}/${encodeURIComponent(id)}`;
    if (rewriter.rewrite({ path: clientPath, search: "" }).path === plain) return `${call.baseUrl}${clientPath}`;
  }
  return `${call.baseUrl}${plain}`;
}
