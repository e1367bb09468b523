import { join } from "node:path";
import type { JsonObject } from "../../src/base/json/json.ts";
import { type OpenOptions, openStore } from "../../src/store/open-store.ts";
import type { Exported, Store } from "../../src/store/store.ts";
import { afterEachFile } from "../support/leftovers.ts";

const stores = new Set<Store>();

// A store on a disk that refuses cannot close in good order; its test has seen what it wanted to.
afterEachFile(async () => {
  for (const store of stores) await store.close().catch(() => {});
  stores.clear();
});

export interface Opened {
  readonly store: Store;
  /** Everything it said. */
  readonly warnings: string[];
}

/** Opens a source in this very process; it is closed in the end, if the test did not. */
export async function opened(
  folder: string,
  options: Partial<OpenOptions> & { source?: string } = {},
): Promise<Opened> {
  const { source = "db.json", ...rest } = options;
  const warnings: string[] = [];
  const store = await openStore(join(folder, source), {
    idKey: "id",
    durability: "process",
    followsOutside: false,
    memory: false,
    warn: (text) => void warnings.push(text),
    ...rest,
  });
  stores.add(store);
  // A long test opens thousands, each with its whole past.
  const close = store.close.bind(store);
  store.close = () => {
    stores.delete(store);
    return close();
  };
  return { store, warnings };
}

/** The content of a store, as values. */
export async function databaseOf(store: Store): Promise<JsonObject> {
  return Object.fromEntries((await store.export()).map((member) => [member.name, plainValue(member)]));
}

function plainValue(member: Exported): JsonObject[string] {
  if (member.kind === "aside") return member.value;
  return member.kind === "singleton" ? member.record.value : member.records.map((record) => record.value);
}

/** Creates one record. */
export async function create(store: Store, collection: string, body: JsonObject): Promise<unknown> {
  return store.apply({ kind: "create", collection, bodies: [body] });
}
