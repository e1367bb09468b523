import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { StandinError } from "../../src/base/errors.ts";
import type { JsonObject } from "../../src/base/json/json.ts";
import type { Work } from "../../src/base/slices.ts";
import { EVERYTHING, parseParameters, parseQuery } from "../../src/query/parse-query.ts";
import type { Change, Transaction, TransactionWrite } from "../../src/store/store.ts";
import { editedRecord } from "../../src/store/stored-record.ts";
import { askAt } from "../support/api.ts";
import { serveStore } from "../support/serve-store.ts";
import { createStore, storeWith } from "./database.ts";

/** A transaction of a few writes to `things`, as batches make them. */
function short(run: (data: Transaction) => Work<void>): TransactionWrite {
  return { kind: "transaction", members: ["things"], size: 2, run };
}

const adding = (...bodies: JsonObject[]): TransactionWrite =>
  short(function* (data) {
    for (const body of bodies) yield* data.apply({ kind: "create", collection: "things", bodies: [body] });
  });

const removing = (id: string): TransactionWrite =>
  short(function* (data) {
    yield* data.apply({ kind: "remove", collection: "things", id, dependents: [] });
  });

/** A store that counts its commits. */
async function openCounted(things: JsonObject[]) {
  const opened = await storeWith({ things });
  const sql = postgres(opened.url, { max: 1, onnotice: () => {} });
  onTestFinished(() => sql.end());
  const { store } = opened;
  return {
    ...opened,
    commits: async () => (await sql`SELECT FROM ${sql(`${opened.schema}.writes`)}`).length,
    values: async () => (await store.find("things", EVERYTHING)).records.map(({ value }) => value),
    /** Applies all in this order; the first one keeps the others waiting. */
    applyAll: async (...writes: TransactionWrite[]) => {
      const applied = await Promise.allSettled(writes.map((write) => store.apply(write)));
      return applied.map((one) => (one.status === "fulfilled" ? idsIn(one.value) : (one.reason as StandinError).code));
    },
  };
}

function idsIn({ edits }: Change): unknown[] {
  return edits.map((edit) => (editedRecord(edit).value as JsonObject).id);
}

test("short transactions that wait share a commit, and one that is refused leaves nothing", async () => {
  const { applyAll, commits, values } = await openCounted([{ id: 1 }]);
  const refused = short(function* (data) {
    yield* adding({ name: "half" }).run(data);
    throw new StandinError("QUERY_INVALID", "not this one");
  });
  const applied = await applyAll(adding({ a: 1 }), adding({ a: 2 }, { a: 3 }), refused, adding({ a: 4 }, { a: 5 }));
  expect(applied).toEqual([[2], [3, 4], "QUERY_INVALID", [5, 6]]);
  expect(await commits()).toBe(2);
  expect(await values()).toEqual([{ id: 1 }, ...[1, 2, 3, 4, 5].map((a) => ({ a, id: a + 1 }))]);
});

test("a transaction that searches for records finds those of the transaction before it", async () => {
  const { applyAll, values } = await openCounted([]);
  const { where } = parseQuery(parseParameters("a=1"));
  const marking = short(function* (data) {
    for (const { value } of yield* data.matching("things", { where, search: "" })) {
      const id = String((value as JsonObject).id);
      yield* data.apply({ kind: "patch", collection: "things", id, body: { isSeen: true } });
    }
  });
  await applyAll(adding({ a: 0 }), adding({ a: 1 }), marking, adding({ a: 1 }), marking);
  const seen = { a: 1, isSeen: true };
  expect(await values()).toEqual([
    { id: 1, a: 0 },
    { id: 2, ...seen },
    { id: 3, ...seen },
  ]);
});

test("a new id depends on the records that a transaction before it has removed or created", async () => {
  const { store, applyAll } = await openCounted([{ id: 1 }, { id: 2 }]);
  expect(await applyAll(adding({}), removing("3"), adding({}), removing("3"), adding({}))).toEqual([
    [3],
    [3],
    [3],
    [3],
    [3],
  ]);
  await store.swap({ things: [] });
  const [, [id] = []] = await applyAll(adding({ id: "a" }), adding({}));
  expect(id).toEqual(expect.any(String));
  await store.swap({ things: [] });
  const trial = store.apply(adding({}), { isDryRun: true });
  const [, [other] = []] = await applyAll(adding({ id: "a" }), adding({}));
  await trial;
  expect(other).toEqual(expect.any(String));
});

test("batches at once share commits, and know a collection that another process has just made", async () => {
  const { store, schema, commits, values } = await openCounted([]);
  const { url, close } = await serveStore(store);
  onTestFinished(close);
  const batch = (path: string) => {
    const requests = [1, 2].map((n) => ({ method: "POST", path, body: { n } }));
    return askAt(url, "POST /__batch", { body: { requests } });
  };
  const responses = await Promise.all(Array.from({ length: 30 }, () => batch("/things")));
  expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200));
  expect(await values()).toHaveLength(60);
  expect(await commits()).toBeLessThan(30);
  const other = await createStore({ schema });
  onTestFinished(other.close);
  await other.store.alter({ kind: "created", name: "planets", type: "collection" });
  expect((await batch("/planets")).status).toBe(200);
});
