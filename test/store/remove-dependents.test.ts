import { expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { STEP } from "../../src/base/slices.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import { planRemove } from "../../src/store/memory/plan-change.ts";
import { State } from "../../src/store/memory/state.ts";
import { contentOf } from "../../src/store/store.ts";

const COUNT = 5000;
const remove = {
  kind: "remove",
  collection: "groups",
  id: "1",
  dependents: [
    { collection: "items", key: "group_id" },
    { collection: "items", key: "former_id" },
    { collection: "groups", key: "group_id" },
  ],
} as const;

/** Every second item belongs to the first group, and every third has belonged to it. */
function shop(count = COUNT): JsonObject {
  return {
    groups: [{ id: 1, group_id: 1 }, { id: 2 }, { id: 3, group_id: 1 }],
    items: Array.from({ length: count }, (_, at) => ({ id: at, group_id: 1 + (at % 2), former_id: 1 + (at % 3) })),
  };
}

async function idsOf(store: MemoryStore): Promise<Record<string, unknown>> {
  const members = await store.export();
  const idsIn = (content: unknown) => (content as JsonObject[]).map(({ id }) => id);
  return Object.fromEntries(members.map((member) => [member.name, idsIn(contentOf(member))]));
}

const left = (count = COUNT): number[] => Array.from({ length: count }, (_, at) => at).filter((at) => at % 2 && at % 3);

test("is planned with pauses, from the end, each record once", () => {
  const planning = planRemove(State.load(shop(), "id"), remove);
  let pauses = 0;
  let step = planning.next();
  for (; !step.done; step = planning.next()) pauses++;
  expect(pauses).toBeGreaterThan((2 * COUNT) / STEP);
  const { edits, isOrdered } = step.value;
  expect(isOrdered).toBe(true);
  expect(new Set(edits.map(({ before }) => before)).size).toBe(edits.length);
  const slots = edits.filter(({ name }) => name === "items").map(({ before }) => before?.slot ?? 0);
  expect(slots).toEqual(slots.toSorted((a, b) => b - a));
  expect(slots).toHaveLength(COUNT - left().length);
});

test("lets later writes wait", async () => {
  const store = new MemoryStore(State.load(shop(), "id"));
  const removing = store.apply(remove);
  const creating = store.apply({ kind: "create", collection: "items", bodies: [{ id: "new", group_id: 1 }] });
  expect((await creating).version).toBe((await removing).version + 1);
  expect(await idsOf(store)).toEqual({ groups: [2], items: [...left(), "new"] });
});

test("begins again where all data is replaced meanwhile, or records of it", async () => {
  const store = new MemoryStore(State.load(shop(), "id"));
  const removing = store.apply(remove);
  await store.swapAtOnce(shop(COUNT / 2));
  await removing;
  expect(await idsOf(store)).toEqual({ groups: [2], items: left(COUNT / 2) });

  const other = new MemoryStore(State.load(shop(), "id"));
  const removingThere = other.apply(remove);
  await other.edit([{ name: "items", before: undefined, value: { id: "new", group_id: 1 } }]);
  await removingThere;
  expect(await idsOf(other)).toEqual({ groups: [2], items: left() });
});

test("takes nothing where the record must not be removed", async () => {
  const store = new MemoryStore(State.load(shop(), "id"));
  const expectation = (): never => {
    throw new Error("not this one");
  };
  await expect(store.apply({ ...remove, expect: expectation })).rejects.toThrow("not this one");
  await expect(store.apply({ ...remove, id: "9" })).rejects.toMatchObject({ code: "RECORD_NOT_FOUND" });
  expect((await store.apply(remove, { isDryRun: true })).edits.length).toBeGreaterThan(STEP);
  expect((await idsOf(store)).items).toHaveLength(COUNT);
});
