import type { JsonObject } from "../../base/json/json.ts";
import { outlineOf } from "../../query/filter.ts";
import type { GroupQuery } from "../store.ts";
import type { Collection } from "./collection.ts";

/** The most results of one collection to keep. */
const MAX_RESULTS = 16;
/** The most rows of a result to keep. */
const MAX_ROWS = 10_000;

interface Kept {
  readonly version: number;
  readonly results: Map<string, readonly JsonObject[]>;
}

/** The rows of recent queries with groups, for as long as their collection does not change. */
export class GroupCache {
  readonly #byCollection = new WeakMap<Collection, Kept>();

  get(collection: Collection, query: GroupQuery): readonly JsonObject[] | undefined {
    const kept = this.#byCollection.get(collection);
    return kept?.version === collection.version ? kept.results.get(keyOf(query)) : undefined;
  }

  /** Keeps rows that were made from this version of the collection. */
  set(collection: Collection, version: number, query: GroupQuery, rows: readonly JsonObject[]): void {
    if (rows.length > MAX_ROWS || collection.version !== version) return;
    let kept = this.#byCollection.get(collection);
    if (kept?.version !== version) {
      kept = { version, results: new Map() };
      this.#byCollection.set(collection, kept);
    }
    if (kept.results.size >= MAX_RESULTS) kept.results.delete(kept.results.keys().next().value!);
    kept.results.set(keyOf(query), rows);
  }
}

/** Equal for queries with the same rows, before `_having`, sort and window. */
function keyOf({ where, search, grouping }: GroupQuery): string {
  const names = [...grouping.paths.map(({ text }) => text), "", ...grouping.aggregates.map(({ name }) => name)];
  return JSON.stringify([where.map(outlineOf), search, names]);
}
