import type { Json } from "../base/json/json.ts";
import { STEP, type Work } from "../base/slices.ts";
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

/** The elements sorted without a pause. */
const RUN = 512;

/** An element with the values of its keys, each read once and not once per comparison. */
interface Decorated<T> {
  readonly element: T;
  readonly values: readonly (Json | undefined)[];
}

type Compare<T> = (a: T, b: T) => number;

/** Sorts by the keys, stable in both directions. Pauses however many elements there are. */
export function* sortInSteps<T>(
  elements: readonly T[],
  keys: readonly SortKey[],
  readValue: (element: T) => Json,
): Work<T[]> {
  const decorated: Decorated<T>[] = [];
  for (const element of elements) {
    const value = readValue(element);
    const values = keys.map((key) => comparable(sortedValue(value, key)));
    if (decorated.push({ element, values }) % STEP === 0) yield;
  }
  const sorted = yield* mergeSort(decorated, createCompare(keys));
  const result: T[] = [];
  for (const { element } of sorted) if (result.push(element) % (16 * STEP) === 0) yield;
  return result;
}

/** Makes the text of an array once and not once per comparison: a list of one text has that text. */
function comparable(value: Json | undefined): Json | undefined {
  return Array.isArray(value) ? [textOf(value)] : value;
}

function createCompare(keys: readonly SortKey[]): Compare<{ readonly values: readonly (Json | undefined)[] }> {
  return (a, b) => {
    for (let at = 0; at < keys.length; at++) {
      const difference = compareValues(a.values[at], b.values[at]);
      if (difference !== 0) return keys[at]!.descending ? -difference : difference;
    }
    return 0;
  };
}

/** Sorts short runs and merges them in pairs; a stable sort. */
export function* mergeSort<T>(elements: readonly T[], compare: Compare<T>): Work<T[]> {
  let sorted: T[] = [];
  for (let from = 0; from < elements.length; from += RUN) {
    for (const element of elements.slice(from, from + RUN).sort(compare)) sorted.push(element);
    yield;
  }
  for (let width = RUN; width < sorted.length; width *= 2) {
    const merged: T[] = [];
    for (let from = 0; from < sorted.length; from += 2 * width) {
      yield* merge(sorted, merged, from, width, compare);
    }
    sorted = merged;
  }
  return sorted;
}

/** Merges two neighbouring runs. Inner loop: positional parameters. */
function* merge<T>(source: readonly T[], target: T[], from: number, width: number, compare: Compare<T>): Work<void> {
  const middle = Math.min(from + width, source.length);
  const end = Math.min(from + 2 * width, source.length);
  let left = from;
  let right = middle;
  while (left < middle || right < end) {
    const takesLeft = right >= end || (left < middle && compare(source[left]!, source[right]!) <= 0);
    if (target.push(takesLeft ? source[left++]! : source[right++]!) % STEP === 0) yield;
  }
}
