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
      yield* merge(sorted, merged, from, Math.min(from + width, sorted.length), from + 2 * width, compare);
    }
    [sorted, merged] = [merged, sorted];
  }
  return sorted;
}

/** Merges the runs [from, middle) and [middle, end) of one array into the other. Inner loop: positional parameters. */
function* merge(
  source: Uint32Array,
  target: Uint32Array,
  from: number,
  middle: number,
  end: number,
  compare: Compare,
): Work<void> {
  const last = Math.min(end, source.length);
  let left = from;
  let right = middle;
  for (let at = from; at < last; at++) {
    const takesLeft = right >= last || (left < middle && compare(source[left]!, source[right]!) <= 0);
    target[at] = takesLeft ? source[left++]! : source[right++]!;
    if (at % RUN === 0) yield;
  }
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
    return (a, b) => (numbers[a]! < numbers[b]! ? -1 : numbers[a]! > numbers[b]! ? 1 : a - b);
  }
  if (yield* isAll("string")) {
    const texts = values as string[];
    return (a, b) => (texts[a]! < texts[b]! ? -1 : texts[a]! > texts[b]! ? 1 : a - b);
  }
  return (a, b) => compareValues(values[a], values[b]) || a - b;
}
