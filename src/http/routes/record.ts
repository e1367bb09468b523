import pluralize from "pluralize";
import { StandinError } from "../../errors.ts";
import { didYouMean } from "../../nearest.ts";
import { nameList } from "../../query/parse-query.ts";
import { recordNotFound } from "../../store/record-not-found.ts";
import type { Eventually } from "../../store/store.ts";
import type { StoredRecord } from "../../store/stored-record.ts";
import { readBody } from "../body/body.ts";
import type { Exchange } from "../exchange.ts";
import { foreignKey } from "../relations/foreign-keys.ts";
import {
  areCurrent,
  NO_KEYS,
  relatedNames,
  relationKeys,
  relationsOf,
  renderWithRelations,
} from "../relations/relations.ts";
import { expectMatch, isFresh, recordTag, stampTag } from "../response/etag.ts";
import { jsonReply, notModified, type Reply } from "../response/reply.ts";
import type { Handler, Route, Service } from "../service.ts";
import { asObject } from "./collection.ts";

interface RecordParts {
  collection: string;
  id: string;
}

/** `/products/1`: read, replace, patch, remove. */
export const recordRoute: Route<RecordParts> = {
  GET: read,
  PUT: updateBy("replace"),
  PATCH: updateBy("patch"),
  DELETE: remove,
};

/** Hot path: the most frequent request. No allocation that it can do without, not even a promise. */
function read(exchange: Exchange, service: Service, parts: RecordParts): Eventually<Reply> {
  if (exchange.hasParameters) return readWithRelations(exchange, service, parts);
  const record = service.store.get(parts.collection, parts.id);
  if (record instanceof Promise)
    return record.then((found) => recordReply(exchange, service, expectFound(found, service, parts)));
  return recordReply(exchange, service, expectFound(record, service, parts));
}

function expectFound(
  record: StoredRecord | undefined,
  { store }: Service,
  { collection, id }: RecordParts,
): StoredRecord {
  if (record) return record;
  throw recordNotFound(collection, store.idKey, id);
}

function recordReply({ req }: Exchange, { store }: Service, record: StoredRecord): Reply {
  const tag = recordTag(store, record);
  return isFresh(req.headers, tag) ? notModified(tag) : { status: 200, json: record.text, etag: tag };
}

async function readWithRelations(exchange: Exchange, service: Service, parts: RecordParts): Promise<Reply> {
  const { req, parameters } = exchange;
  const { store } = service;
  const { collection, id } = parts;
  const relations = { embed: nameList(parameters, "_embed"), expand: nameList(parameters, "_expand") };
  const names = relatedNames(relations);
  const request = { collection, ...relations };
  const keys = names.length > 0 ? await relationKeys(service, request) : NO_KEYS;
  const wanted = store.getWith ? relationsOf(keys, store.idKey, relations) : [];
  const found =
    wanted.length > 0 ? await store.getWith?.(collection, id, { relations: wanted, stampOf: names }) : undefined;
  const record = wanted.length > 0 ? found?.record : await store.get(collection, id);
  if (names.length === 0 || !record) return recordReply(exchange, service, expectFound(record, service, parts));
  const etag = stampTag(`${record.version}.${found?.stamp ?? (await store.stamp(names))}`);
  if (isFresh(req.headers, etag)) return notModified(etag);
  if (!(await areCurrent(keys, service, request))) return readWithRelations(exchange, service, parts);
  const [text] = await renderWithRelations(store, { ...relations, keys, records: [record], related: found?.related });
  return jsonReply(text!, etag);
}

function updateBy(kind: "replace" | "patch"): Handler<RecordParts> {
  return async ({ req }, { store, settings }, { collection, id }) => {
    const body = asObject(await readBody(req, settings.maxBodyBytes, store.idKey));
    const expect = expectMatch(store, req.headers["if-match"]);
    const change = await store.apply({ kind, collection, id, body, expect });
    const after = change.edits[0]?.after as StoredRecord;
    return jsonReply(after.text, recordTag(store, after));
  };
}

async function remove(exchange: Exchange, service: Service, { collection, id }: RecordParts): Promise<Reply> {
  const { store, settings } = service;
  const { req } = exchange;
  await readBody(req, settings.maxBodyBytes);
  const dependents = await dependentsOf(exchange, service, collection);
  await store.apply({
    kind: "remove",
    collection,
    id,
    dependents,
    expect: expectMatch(store, req.headers["if-match"]),
  });
  return jsonReply("{}");
}

/** `_dependent=products`: which children go with the record. Only those named; a name that is no collection is refused. */
async function dependentsOf({ parameters }: Exchange, service: Service, collection: string) {
  const { store } = service;
  const children = nameList(parameters, "_dependent");
  const unknown = children.find((child) => store.kindOf(child) !== "collection");
  if (unknown !== undefined) {
    const names = store.members().map((member) => member.name);
    throw new StandinError(
      "QUERY_INVALID",
      `_dependent=${unknown}: there is no collection "${unknown}".${didYouMean(unknown, names)}`,
    );
  }
  if (children.length === 0) return [];
  await store.refresh();
  const parent = pluralize.singular(collection);
  return Promise.all(
    children.map(async (child) => ({ collection: child, key: await foreignKey(service, child, parent) })),
  );
}
