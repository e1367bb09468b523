import type { Work } from "../../../base/slices.ts";
import { addUp } from "./trigrams.ts";

/** Numbers are sorted by 16 bits at a time, from the last ones on. */
const DIGIT_BITS = 16;
const DIGITS = 2 ** DIGIT_BITS;
const DIGITS_OF_NUMBER = 64 / DIGIT_BITS;
/** The numbers to move between two possible pauses. */
const MOVED_AT_ONCE = 16_384;
const MIN_NUMBERS = 16_384;
const SIGN = 0x8000;

/** Sorting fewer takes no longer than counting digits. The bits of a number must be in the order of most processors. */
export function isSortedByDigits(count: number): boolean {
  return count >= MIN_NUMBERS && new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
}

/** The positions of numbers in ascending order, equal ones in theirs. Takes the same few passes whatever the numbers. */
export function* numberOrder(numbers: Float64Array): Work<Uint32Array> {
  const count = numbers.length;
  const digits = sortableDigits(numbers);
  yield;
  let order = positionsBelow(count);
  let moved = new Uint32Array(count);
  for (let digit = 0; digit < DIGITS_OF_NUMBER; digit++) {
    const places = placesOf(digits, digit);
    yield;
    if (!places) continue;
    for (let from = 0; from < count; from += MOVED_AT_ONCE) {
      move(order.subarray(from, from + MOVED_AT_ONCE), digits, digit, { places, moved });
      yield;
    }
    [order, moved] = [moved, order];
  }
  return order;
}

export function positionsBelow(count: number): Uint32Array<ArrayBuffer> {
  const positions = new Uint32Array(count);
  for (let at = 0; at < count; at++) positions[at] = at;
  return positions;
}

/** The bits of the numbers, lowest first, such that their order is that of the numbers. Takes the memory of the numbers. */
function sortableDigits(numbers: Float64Array): Uint16Array {
  const digits = new Uint16Array(numbers.buffer);
  for (let last = DIGITS_OF_NUMBER - 1; last < digits.length; last += DIGITS_OF_NUMBER) {
    const isNegative = (digits[last] ?? 0) >= SIGN;
    const flipped = isNegative ? DIGITS - 1 : 0;
    for (let at = last - DIGITS_OF_NUMBER + 1; at < last; at++) digits[at] = (digits[at] ?? 0) ^ flipped;
    digits[last] = (digits[last] ?? 0) ^ (flipped || SIGN);
  }
  return digits;
}

/** Where the first number with each value of a digit belongs; undefined if all have the same. */
function placesOf(digits: Uint16Array, digit: number): Uint32Array | undefined {
  const places = new Uint32Array(DIGITS + 1);
  for (let at = digit; at < digits.length; at += DIGITS_OF_NUMBER) {
    const next = (digits[at] ?? 0) + 1;
    places[next] = (places[next] ?? 0) + 1;
  }
  if (places[(digits[digit] ?? 0) + 1] === digits.length / DIGITS_OF_NUMBER) return undefined;
  addUp(places);
  return places;
}

interface Target {
  /** The place of the next number with each value of the digit. */
  readonly places: Uint32Array;
  readonly moved: Uint32Array;
}

function move(order: Uint32Array, digits: Uint16Array, digit: number, { places, moved }: Target): void {
  for (const position of order) {
    const value = digits[position * DIGITS_OF_NUMBER + digit] ?? 0;
    const place = places[value] ?? 0;
    moved[place] = position;
    places[value] = place + 1;
  }
}
