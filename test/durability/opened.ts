import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { JsonObject } from "../../src/json.ts";
import { type OpenOptions, openStore } from "../../src/store/open.ts";
import type { Exported, Store } from "../../src/store/store.ts";

export interface Opened {
  readonly store: Store;
  /** Everything it said. */
  readonly warnings: string[];
}

/** Opens a source in this very process; it is closed when the test ends. */
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
  // A store on a disk that refuses cannot close in good order; the test has seen what it wanted to.
  onTestFinished(() => store.close().catch(() => {}));
  return { store, warnings };
}

/** What a store holds, as values. */
export async function databaseOf(store: Store): Promise<JsonObject> {
  return Object.fromEntries((await store.export()).map((member) => [member.name, contentOf(member)]));
}

function contentOf(member: Exported): JsonObject[string] {
  if (member.kind === "aside") return member.value;
  return member.kind === "singleton" ? member.record.value : member.records.map((record) => record.value);
}

/** Creates one record. */
export function create(store: Store, collection: string, body: JsonObject): Promise<unknown> {
  return store.apply({ kind: "create", collection, bodies: [body] });
}
