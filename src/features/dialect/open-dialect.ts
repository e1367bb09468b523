import pluralize from "pluralize";
import { StandinError } from "../../base/errors.ts";
import type { Json, JsonObject } from "../../base/json/json.ts";
import { randomBytes } from "../../base/platform/crypto.ts";
import { resolve } from "../../base/platform/files.ts";
import { STEP, type Work } from "../../base/slices.ts";
import type { Call } from "../../http/call.ts";
import { firstOf } from "../../http/compose-hooks.ts";
import {
  createStoreChooser,
  type FoundRoute,
  type OpenFeature,
  type PathParts,
  type RouteRow,
  type Service,
} from "../../http/contract.ts";
import { DIALECT_HEADER } from "../../http/dialect-header.ts";
import { foreignKey } from "../../http/relations/foreign-keys.ts";
import { expectMatch } from "../../http/response/headers.ts";
import { jsonReply, type Reply } from "../../http/response/reply.ts";
import { memberName } from "../../http/router.ts";
import { asApplied, carryOut, shownRecord, writePreferences } from "../../http/routes/carry-out.ts";
import { createFrom } from "../../http/routes/collection.ts";
import { FilterReader } from "../../query/filter-reader.ts";
import { seededId } from "../../store/ids.ts";
import { refersTo } from "../../store/key-texts.ts";
import type { Dependents, Transaction, TransactionWrite } from "../../store/store.ts";
import type { FeatureContext } from "../feature.ts";
import { listPage, readEmbedded } from "./read.ts";

const COLLECTION: RouteRow = {
  path: "/:collection",
  isOfData: true,
  dryRuns: ["POST"],
  GET: listPage,
  POST: createWithNewId,
};
const RECORD: RouteRow = {
  path: "/:collection/:id",
  isOfData: true,
  dryRuns: ["DELETE"],
  GET: readEmbedded,
  DELETE: removeAndReturn,
};

/**
 * Claims the requests for which json-server 1.0 has another response than 0.17: lists and records with parameters, POST to
 * a collection, DELETE of a record. All others, and those of the console and of agents, take their usual way.
 */
export function openDialect({ service }: FeatureContext<unknown>): OpenFeature {
  const reserved = new Set(service.reservedNames);
  const choose = lazily(() => createStoreChooser(service));
  const custom = lazily(() => firstOf(service.features.flatMap(({ findRoute }) => findRoute ?? [])));
  const claim = (segments: readonly string[], call: Call): FoundRoute | undefined => {
    const [first, id, ...more] = segments;
    const row = id === undefined ? COLLECTION : RECORD;
    if (first === undefined || more.length > 0 || reserved.has(first) || !isMeant(row, call)) return undefined;
    const store = (call.sandbox === undefined ? undefined : choose()(call)) ?? service.store;
    const collection = memberName(store, first);
    if (collection === undefined || store.kindOf(collection) !== "collection") return undefined;
    if (custom()?.(segments, call.method)) return undefined;
    return { row, parts: id === undefined ? { collection } : { collection, id } };
  };
  const { staticFolder } = service.settings;
  const publicFolder = resolve("public");
  // 1.0 serves ./public in any case, and before the folder of --static.
  const folders = staticFolder === undefined || staticFolder === publicFolder ? [] : [publicFolder];
  return { name: "dialect", claim, folders };
}

function isMeant(row: RouteRow, call: Call): boolean {
  const isHandled = call.isRead ? call.hasParameters : row[call.method as "POST" | "DELETE"] !== undefined;
  return isHandled && !call.isOfConsole && call.headers[DIALECT_HEADER] === undefined;
}

/** Features see each other only once all of them are open. */
function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** `POST /posts`: the record gets a random id, whatever id the body has. */
async function createWithNewId(call: Call, service: Service, { collection = "" }: PathParts): Promise<Reply> {
  const { store } = service;
  const idKey = store.idKeyOf(collection);
  const body = await call.body();
  if (Array.isArray(body)) {
    throw new StandinError(
      "BODY_NOT_OBJECT",
      "The body must be a JSON object. json-server 1.0 creates one record at a time.",
    );
  }
  return await createFrom(body, call, service, {
    collection,
    given: { [idKey]: await newId(service, collection) },
  });
}

/** A short random text, as 1.0 makes it; with a seed, the first unused one of a fixed series. */
async function newId({ store, seed }: Service, collection: string): Promise<string> {
  if (seed === undefined) return randomBytes(8).toString("base64url");
  const count = store.members().find(({ name }) => name === collection)?.count ?? 0;
  for (let attempt = count; ; attempt++) {
    const id = seededId(seed, `${collection}/${attempt}`);
    if (!(await store.get(collection, id))) return id;
  }
}

/**
 * `DELETE /posts/1`: responds with the record. Children named by `_dependent` go with it; the foreign keys of all others
 * become null.
 */
async function removeAndReturn(call: Call, service: Service, { collection = "", id = "" }: PathParts): Promise<Reply> {
  const { store } = service;
  await call.body();
  const children = await childrenOf(service, collection);
  const named = new Set(call.parameters.get("_dependent"));
  const dependents = children.filter((child) => named.has(child.collection));
  const preferences = writePreferences(call);
  const expect = expectMatch(store, call.headers["if-match"]);
  let removed = "{}";
  const write: TransactionWrite = {
    kind: "transaction",
    members: [collection, ...children.map((child) => child.collection)],
    *run(data) {
      const [edit] = yield* data.apply({ kind: "remove", collection, id, dependents, expect });
      removed = edit?.before?.text ?? removed;
      for (const child of children) if (!named.has(child.collection)) yield* release(data, child, id);
    },
  };
  return carryOut(call, service, write, () => asApplied(shownRecord(call, jsonReply(removed)), preferences));
}

async function childrenOf(service: Service, collection: string): Promise<Dependents[]> {
  const parent = pluralize.singular(collection);
  const others = service.store.members().filter(({ name, kind }) => kind === "collection" && name !== collection);
  return Promise.all(
    others.map(async ({ name }) => ({ collection: name, key: await foreignKey(service, name, parent) })),
  );
}

/** Sets the foreign keys to null that refer to a removed record. */
function* release(data: Transaction, { collection, key }: Dependents, id: string): Work<void> {
  const where = [new FilterReader(() => false).byName(`${key}:eq`, [id])];
  const found = yield* data.matching(collection, { where, search: "", isForWriting: true });
  for (const [position, before] of found.entries()) {
    if (position % STEP === 0) yield;
    if (!refersTo(before.value, { field: key, isList: false }, id)) continue;
    const transform = (current: Json): Json => ({ ...(current as JsonObject), [key]: null });
    yield* data.apply({ kind: "rewrite", collection, before, transform });
  }
}
