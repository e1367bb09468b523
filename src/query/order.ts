import type { Json } from "../json.ts";
import { valueAt } from "./path.ts";
import type { SortKey } from "./query.ts";
import { textOf } from "./text.ts";

/** The order of unlike values, ascending. For values of one kind the order is 0.17's; for mixed kinds 0.17 has none. */
const KINDS = ["number", "string", "boolean", "other", "null", "missing"] as const;
const RANK = Object.fromEntries(KINDS.map((kind, rank) => [kind, rank])) as Record<(typeof KINDS)[number], number>;

function rankOf(value: Json | undefined): number {
  switch (typeof value) {
    case "number":
      return RANK.number;
    case "string":
      return RANK.string;
    case "boolean":
      return RANK.boolean;
    case "undefined":
      return RANK.missing;
    default:
      return value === null ? RANK.null : RANK.other;
  }
}

/** A total order over all values, ascending: numbers, text by code unit, booleans, the rest by text, null, missing. */
export function compareValues(a: Json | undefined, b: Json | undefined): number {
  const rank = rankOf(a);
  const difference = rank - rankOf(b);
  if (difference !== 0) return difference;
  if (rank === RANK.other) return compareLike(textOf(a as Json), textOf(b as Json));
  if (rank >= RANK.null) return 0;
  return compareLike(a as string, b as string);
}

/** Two values of one kind, by JavaScript's own order. */
function compareLike<T extends string | number | boolean>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Sorts by the keys, stable in both directions. Each key is read once per record, not once per comparison. */
export function sortBy<T>(records: readonly T[], keys: readonly SortKey[], recordOf: (item: T) => Json): T[] {
  const decorated = records.map((item) => ({ item, values: keys.map((key) => valueAt(recordOf(item), key.path)) }));
  decorated.sort((a, b) => {
    for (let i = 0; i < keys.length; i++) {
      const difference = compareValues(a.values[i], b.values[i]);
      if (difference !== 0) return keys[i]!.descending ? -difference : difference;
    }
    return 0;
  });
  return decorated.map(({ item }) => item);
}
