import { expect, test } from "vitest";
import { Sandboxes } from "../../../src/features/sandboxes/sandboxes.ts";
import { DEFAULT_HISTORY } from "../../../src/store/history.ts";
import { MemoryStore } from "../../../src/store/memory/memory-store.ts";
import { State } from "../../../src/store/memory/state.ts";
import { textOf } from "../../store/history-oracle.ts";

test("a sandbox has a history of its own, in which an undo is a version and deletes none", async () => {
  const data = { products: [1, 2, 3].map((id) => ({ id })), settings: { theme: "light" } };
  const base = new MemoryStore(State.load(data, "id", { history: DEFAULT_HISTORY }));
  await base.apply({ kind: "create", collection: "products", bodies: [{ id: 4 }] });
  const { store, journal } = new Sandboxes(base).create("one");
  const copies: string[] = [await textOf(store)];
  const keep = async (): Promise<void> => void copies.push(await textOf(store));
  const start = store.history?.latest ?? 0;
  await store.apply({ kind: "remove", collection: "products", id: "2", dependents: [] }, { by: "agent:1" });
  await keep();
  await store.alter({ kind: "removed", name: "settings" });
  await keep();
  await store.alter({ kind: "renamed", name: "products", to: "goods" });
  await keep();
  for (let step = 0; step < 3; step++) {
    await journal.undo(1);
    await keep();
  }
  const { versions } = (await store.history?.list({ limit: 10 })) ?? { versions: [] };
  expect(versions.map(({ cause }) => cause)).toEqual(["undo", "undo", "undo", undefined, undefined, undefined]);
  for (const [position, text] of copies.entries()) {
    const moment = await store.history?.at(start + position);
    expect(moment && (await textOf(moment))).toBe(text);
  }
  expect(await textOf(store)).toBe(copies[0]);
  expect((await base.history?.list({ limit: 10 }))?.versions).toHaveLength(1);
});
