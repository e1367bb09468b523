import type { Json } from "../../../base/json/json.ts";
import type { Work } from "../../../base/slices.ts";
import { compareValues } from "../../../query/order.ts";
import { isSortedByDigits, numberOrder, positionsBelow } from "./number-order.ts";

/** The number of values sorted without a pause. */
const RUN = 1024;

type Compare = (a: number, b: number) => number;

/**
 * The positions of values in sorted order; a stable sort. Sorts many numbers by their digits; else short runs, which it
 * merges in pairs, so that it can pause however many there are.
 */
export function* sortedPositions(values: readonly (Json | undefined)[]): Work<Uint32Array> {
  const numbers = yield* numbersOf(values);
  if (numbers && isSortedByDigits(numbers.length)) return yield* numberOrder(numbers);
  const compare = yield* compareFor(values, numbers);
  let sorted = positionsBelow(values.length);
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
function* compareFor(values: readonly (Json | undefined)[], numbers: Float64Array | undefined): Work<Compare> {
  if (numbers) return (a, b) => (numbers[a]! < numbers[b]! ? -1 : numbers[a]! > numbers[b]! ? 1 : a - b);
  if (yield* areTexts(values)) {
    const texts = values as string[];
    return (a, b) => (texts[a]! < texts[b]! ? -1 : texts[a]! > texts[b]! ? 1 : a - b);
  }
  return (a, b) => compareValues(values[a], values[b]) || a - b;
}

/** The values, if all are numbers. */
function* numbersOf(values: readonly (Json | undefined)[]): Work<Float64Array | undefined> {
  const numbers = new Float64Array(values.length);
  for (let from = 0; from < values.length; from += RUN) {
    if (!copyNumbers(values, numbers, from)) return undefined;
    yield;
  }
  return numbers;
}

/** A loop of its own: inside a generator, the engine would compile it late. */
function copyNumbers(values: readonly (Json | undefined)[], numbers: Float64Array, from: number): boolean {
  for (let at = from; at < Math.min(from + RUN, values.length); at++) {
    const value = values[at];
    if (typeof value !== "number") return false;
    // There are two zeros; the sum is always the positive one.
    numbers[at] = value + 0;
  }
  return true;
}

function* areTexts(values: readonly (Json | undefined)[]): Work<boolean> {
  for (let from = 0; from < values.length; from += RUN) {
    for (const value of values.slice(from, from + RUN)) if (typeof value !== "string") return false;
    yield;
  }
  return true;
}
