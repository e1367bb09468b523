import pluralize from "pluralize";
import type { Json, JsonObject } from "../../base/json/json.ts";
import { STEP, type Work } from "../../base/slices.ts";
import type { Call } from "../../http/call.ts";
import type { PathParts, Service } from "../../http/contract.ts";
import { foreignKey } from "../../http/relations/foreign-keys.ts";
import { expectMatch } from "../../http/response/headers.ts";
import { jsonReply, type Reply } from "../../http/response/reply.ts";
import { asApplied, carryOut, shownRecord, writePreferences } from "../../http/routes/carry-out.ts";
import { FilterReader } from "../../query/filter-reader.ts";
import { refersTo } from "../../store/key-texts.ts";
import type { Dependents, Transaction, TransactionWrite } from "../../store/store.ts";

/**
 * `DELETE /posts/1`: responds with the record. Children named by `_dependent` go with it; the foreign keys of all others
 * become null.
 */
export async function removeAndReturn(
  call: Call,
  service: Service,
  { collection = "", id = "" }: PathParts,
): Promise<Reply> {
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
  return carryOut(service, write, preferences, () => asApplied(shownRecord(call, jsonReply(removed)), preferences));
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
  const found = yield* data.matching(collection, { where, search: "" });
  for (const [position, before] of found.entries()) {
    if (position % STEP === 0) yield;
    if (!refersTo(before.value, { field: key, isList: false }, id)) continue;
    const transform = (current: Json): Json => ({ ...(current as JsonObject), [key]: null });
    yield* data.apply({ kind: "rewrite", collection, before, transform });
  }
}
