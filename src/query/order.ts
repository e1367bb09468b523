import type { Json } from "../base/json/json.ts";
import { valueAt } from "./path.ts";
import type { SortKey } from "./query.ts";
import { textOf } from "./text.ts";

/** The ascending order of kinds. Values of one kind are ordered as in 0.17, which has no order for mixed kinds. */
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
      if (value === null) return RANK.null;
      return RANK.other;
  }
}

/** Compares by a total order of all values: numbers, texts by code unit, booleans, others by text, null, missing. */
export function compareValues(a: Json | undefined, b: Json | undefined): number {
  // Hot path: two numbers.
  if (typeof a === "number" && typeof b === "number") return compareSameKind(a, b);
  const rank = rankOf(a);
  const difference = rank - rankOf(b);
  if (difference !== 0) return difference;
  if (rank === RANK.other) return compareSameKind(textOf(a as Json), textOf(b as Json));
  if (rank >= RANK.null) return 0;
  return compareSameKind(a as string, b as string);
}

/** Compares two values of one kind by JavaScript's order. */
function compareSameKind<T extends string | number | boolean>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The value that a key sorts a record by. */
export function sortedValue(record: Json, { path, order }: SortKey): Json | undefined {
  return order ? order.valueOf(record) : valueAt(record, path);
}

/** A key as it was written, without its direction. */
export function keyText({ path, order }: SortKey): string {
  return order ? `${path.text}:${order.text}` : path.text;
}

/** Sorts by the keys, stable in both directions. Reads each key once per record, not once per comparison. */
export function sortBy<T>(records: readonly T[], keys: readonly SortKey[], readValue: (record: T) => Json): T[] {
  const decorated = records.map((record) => ({
    record,
    values: keys.map((key) => sortedValue(readValue(record), key)),
  }));
  decorated.sort((a, b) => {
    for (let i = 0; i < keys.length; i++) {
      const difference = compareValues(a.values[i], b.values[i]);
      if (difference !== 0) return keys[i]!.descending ? -difference : difference;
    }
    return 0;
  });
  return decorated.map(({ record }) => record);
}
