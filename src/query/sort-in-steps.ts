import type { Json } from "../base/json/json.ts";
import { STEP, type Work } from "../base/slices.ts";
import { compareValues, sortedValue } from "./order.ts";
import type { SortKey } from "./query.ts";
import { textOf } from "./text.ts";

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
