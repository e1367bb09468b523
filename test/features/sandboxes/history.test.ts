import { expect, test } from "vitest";
import { Sandboxes } from "../../../src/features/sandboxes/sandboxes.ts";
import { DEFAULT_HISTORY, historyLimits } from "../../../src/store/history.ts";
import { MemoryStore } from "../../../src/store/memory/memory-store.ts";
import { State } from "../../../src/store/memory/state.ts";
import { textOf } from "../../store/history-oracle.ts";

const DAY_MS = 86_400_000;

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

test("changes that are older than --history allows cannot be undone", async () => {
  let now = 0;
  const history = { ...historyLimits("30d"), maxBytes: 2 ** 20, clock: { now: () => now } };
  const base = new MemoryStore(State.load({ products: [{ id: 1 }] }, "id", { history }));
  const { store, journal } = new Sandboxes(base).create("one");
  const names = ["a", "b", "c"];
  for (const [day, name] of names.entries()) {
    now = day * 20 * DAY_MS;
    await store.apply({ kind: "patch", collection: "products", id: "1", body: { name } });
  }
  expect(journal.changes).toBe(2);
  const { undone, left } = await journal.undo(3);
  expect([undone.length, left]).toEqual([2, 0]);
  expect((await store.get("products", "1"))?.value).toEqual({ id: 1, name: "a" });
});
