import type { Json } from "../../../base/json/json.ts";
import type { Work } from "../../../base/slices.ts";
import { compareValues } from "../../../query/order.ts";

/** The number of values sorted without a pause. */
const RUN = 1024;

type Compare = (a: number, b: number) => number;

/**
 * The positions of values in sorted order; a stable sort. Sorts short runs and merges them in pairs, so that it can pause
 * however many there are.
 */
export function* sortedPositions(values: readonly (Json | undefined)[]): Work<Uint32Array> {
  const compare = yield* compareFor(values);
  let sorted = Uint32Array.from(values, (_, position) => position);
  for (let from = 0; from < sorted.length; from += RUN) {
    sorted.subarray(from, from + RUN).sort(compare);
    yield;
  }
  let merged = new Uint32Array(sorted.length);
  for (let width = RUN; width < sorted.length; width *= 2) {
    for (let from = 0; from < sorted.length; from += 2 * width) {
      const end = from + 2 * width;
      const runs = [sorted.subarray(from, from + width), sorted.subarray(from + width, end)] as const;
      yield* merge(runs, merged.subarray(from, end), compare);
    }
    [sorted, merged] = [merged, sorted];
  }
  return sorted;
}

function* merge([left, right]: readonly [Uint32Array, Uint32Array], target: Uint32Array, compare: Compare): Work<void> {
  let next = 0;
  let at = 0;
  for (const one of left) {
    for (let other = right[next]; other !== undefined && compare(other, one) < 0; other = right[++next]) {
      target[at++] = other;
      if (at % RUN === 0) yield;
    }
    target[at++] = one;
    if (at % RUN === 0) yield;
  }
  target.set(right.subarray(next), at);
}

/** Compares only numbers or only texts, the usual case, without checking the type of each value. */
function* compareFor(values: readonly (Json | undefined)[]): Work<Compare> {
  const isAll = function* (type: "number" | "string"): Work<boolean> {
    for (let at = 0; at < values.length; at++) {
      if (typeof values[at] !== type) return false;
      if (at % RUN === 0) yield;
    }
    return true;
  };
  if (yield* isAll("number")) {
    const numbers = Float64Array.from(values as number[]);
    return (a, b) => (numbers[a] ?? 0) - (numbers[b] ?? 0) || a - b;
  }
  if (yield* isAll("string")) {
    const texts = values as string[];
    return (a, b) => {
      const one = texts[a] ?? "";
      const other = texts[b] ?? "";
      return one < other ? -1 : one > other ? 1 : a - b;
    };
  }
  return (a, b) => compareValues(values[a], values[b]) || a - b;
}
