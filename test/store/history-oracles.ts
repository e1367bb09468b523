import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../src/base/json/json.ts";
import type { HistoryLimits } from "../../src/store/history.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import { State } from "../../src/store/memory/state.ts";
import { opened } from "../durability/opened.ts";
import { imageOf } from "../durability/place.ts";
import { createFolder } from "../support/cli.ts";
import { type Copy, changeSomething, copyOf, dice, expectPast } from "./history-oracle.ts";

const limits: HistoryLimits = { count: 1_000_000, maxBytes: 2 ** 30 };

function begin(): JsonObject {
  const products = Array.from({ length: 30 }, (_, index) => ({ id: index + 1, name: `P${index}` }));
  const orders = Array.from({ length: 10 }, (_, index) => ({ id: `o${index}`, productId: index }));
  return { products, settings: { theme: "light" }, orders };
}

/** Returns the number of versions that it compared. */
export async function runMemoryOracle(seed: number, steps: number, reads?: number): Promise<number> {
  const roll = dice(seed);
  const store = new MemoryStore(State.load(begin(), "id", { history: limits, minIndexed: 1 }));
  const copies: Copy[] = [];
  copies.push(await copyOf(store));
  for (let step = 0; step < steps; step++) {
    await changeSomething(store, roll, step);
    copies.push(await copyOf(store));
  }
  return expectPast(store, copies, roll, reads);
}

export async function runFileOracle(seed: number, steps: number, reads?: number): Promise<number> {
  const roll = dice(seed);
  let folder = createFolder({ "db.json": JSON.stringify(begin()) });
  let { store } = await opened(folder, { history: limits });
  const copies: Copy[] = [];
  copies.push(await copyOf(store));
  for (let step = 0; step < steps; step++) {
    const kind = roll(25);
    if (kind === 0) {
      await store.close();
      ({ store } = await opened(folder, { history: limits }));
    } else if (kind === 1) {
      // The process ends without a word.
      folder = imageOf(folder);
      await store.close();
      ({ store } = await opened(folder, { history: limits }));
    } else if (kind === 2) {
      const text = readFileSync(join(folder, "db.json"), "utf8");
      const database: JsonObject = JSON.parse(text);
      for (const [name, value] of Object.entries(database)) {
        if (Array.isArray(value)) database[name] = value.filter(() => roll(5) > 0);
      }
      writeFileSync(join(folder, "db.json"), JSON.stringify({ ...database, outside: [{ id: step }] }));
      await store.reload();
      copies.push(await copyOf(store));
    } else {
      await changeSomething(store, roll, step);
      copies.push(await copyOf(store));
    }
  }
  await expectPast(store, copies, roll, reads);
  await store.close();
  ({ store } = await opened(folder, { history: limits }));
  return expectPast(store, copies, roll, reads);
}
