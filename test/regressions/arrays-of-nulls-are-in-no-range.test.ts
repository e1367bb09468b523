/**
 * The joined text of an array is in a range index, too, though `gt` and `lt` do not count it. An array of nulls has no other
 * entry there, so an indexed collection took "," for a value of it.
 */
import { expect, test } from "vitest";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import { State } from "../../src/store/memory/state.ts";
import { askStore } from "../query-language/ask-store.ts";

/** With so many others, the index is worth its while. */
const others = Array.from({ length: 10 }, (_, at) => ({ id: at + 10 }));
const things = [{ id: 1, when: [null, null] }, { id: 3, when: "a" }, ...others];

for (const minIndexed of [1, Number.POSITIVE_INFINITY]) {
  test(`an array of nulls is neither above nor below a text, ${minIndexed === 1 ? "by index" : "by scan"}`, async () => {
    const store = new MemoryStore(State.load({ things }, "id", { minIndexed }));
    const idsOf = async (name: string, value: string): Promise<unknown[]> =>
      (await askStore(store, [[name, value]], false)).list.map((record) => (record as { id: number }).id);
    expect(await idsOf("when:gt", "")).toEqual([3]);
    expect(await idsOf("when:lt", "b")).toEqual([3]);
  });
}
