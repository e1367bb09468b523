import { expect, test } from "vitest";
import { MAX_AT_ONCE } from "../../src/base/slices.ts";
import { EVERYTHING, parseParameters, parseQuery } from "../../src/query/parse-query.ts";
import { IdKeys } from "../../src/store/id-keys.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import { State } from "../../src/store/memory/state.ts";

const COUNT = 3 * MAX_AT_ONCE;

/** More records than are created at once; the ids are texts in one collection, so that it needs an index. */
function load(): { store: MemoryStore; state: State } {
  const numbers = Array.from({ length: COUNT }, (_, at) => ({ id: at + 1, group: at % 7 }));
  const texts = numbers.map(({ id, group }) => ({ id: `n${id}`, group }));
  const state = State.load({ numbers, texts }, "id");
  return { store: new MemoryStore(state), state };
}

const query = (text: string) => parseQuery(parseParameters(text));

test("a record and a page create only what they show", async () => {
  const { store, state } = load();
  expect(store.get("numbers", "20000")?.text).toBe('{"id":20000,"group":0}');
  expect(store.get("texts", "n30000")).toMatchObject({ slot: 29_999, version: 1 });
  expect(store.get("texts", "n30001")).toBeUndefined();
  expect(store.members()).toMatchObject([{ count: COUNT }, { count: COUNT }]);
  const page = await store.find("numbers", query("_page=2000&_limit=10"));
  expect(page.records.map(({ value }) => value)).toMatchObject([{ id: 19_991 }, {}, {}, {}, {}, {}, {}, {}, {}, {}]);
  expect(page.records[9]).toBe(store.get("numbers", "20000"));
  expect(await store.export(2)).toMatchObject([{ records: [{ slot: 0 }, { slot: 1 }] }, { records: [{}, {}] }]);
  expect(state.isCreated).toBe(false);
});

for (const name of ["numbers", "texts"]) {
  const [first, later] = name === "numbers" ? ["1", "25000"] : ["n1", "n25000"];

  test(`${name}: a record that was read is the one that queries, exports and writes have later`, async () => {
    const { store, state } = load();
    const early = store.get(name, later)!;
    const found = store.find(name, query("group=3"));
    expect(found).toBeInstanceOf(Promise);
    const between = store.get(name, first)!;
    expect((await found).total).toBe(Math.ceil((COUNT - 3) / 7));
    const all = (await store.export()).find((member) => member.name === name)!;
    if (all.kind !== "collection") throw new Error("a collection is expected");
    expect(all.records.map(({ slot }) => slot)).toEqual(Array.from({ length: COUNT }, (_, at) => at));
    expect(all.records[24_999]).toBe(early);
    expect(all.records[0]).toBe(between);
    expect(state.isCreated).toBe(true);
  });

  test(`${name}: a write creates the records first, and the reset restores them`, async () => {
    const { store } = load();
    const early = store.get(name, later);
    await store.apply({ kind: "remove", collection: name, id: first, dependents: [] });
    expect([store.get(name, first), store.get(name, later)]).toEqual([undefined, early]);
    expect((await store.find(name, EVERYTHING)).total).toBe(COUNT - 1);
    await store.reset();
    expect(store.get(name, later)).toBe(early);
    expect(store.get(name, first)).toMatchObject({ slot: 0 });
  });
}

test("a collection renamed after a removal finds its records by another id", async () => {
  const things = [1, 2, 3, 4].map((number) => ({ id: number * 10, code: number - 1 || 99 }));
  const store = new MemoryStore(State.load({ things }, IdKeys.from({ idKey: "id", idKeys: { coded: "code" } })));
  await store.apply({ kind: "remove", collection: "things", id: "10", dependents: [] });
  await store.alter({ kind: "renamed", name: "things", to: "coded" });
  expect(["1", "2", "3"].map((code) => store.get("coded", code)?.value)).toMatchObject([
    { id: 20 },
    { id: 30 },
    { id: 40 },
  ]);
});
