import type { Scalar } from "../../../query/query.ts";
import { encodeText } from "../tables/coded-text.ts";

/**
 * One text for every value, such that byte order of the texts is the total order of values: a digit for the kind (numbers,
 * text, booleans, the rest, null, missing), then the value. The database makes the same keys by its function sort_key.
 */
export const KIND = { number: "1", string: "2", boolean: "3", other: "4", null: "5", missing: "6" } as const;
/** Above every number and below every text. */
const AFTER_NUMBERS = `${KIND.number}~`;
/** Texts count with their first so many characters in the keys that are kept: an index has room for no more. */
export const KEPT_LENGTH = 500;

const bits = Buffer.alloc(8);

export function sortKey(value: Scalar): string {
  if (typeof value === "string") return KIND.string + encodeText(value);
  if (typeof value === "boolean") return KIND.boolean + value;
  // No number has two keys: the zero below zero is zero.
  bits.writeDoubleBE(Math.abs(value));
  const digits = bits.toString("hex");
  // Without the zeros at the end, which whole numbers have many of: the order stays, and indexes are half as large.
  if (value >= 0) return `${KIND.number}p${digits.replace(/0+$/, "")}`;
  return `${KIND.number}n${complement(digits)}`;
}

/** As much of a key as is kept; by character, as the database counts, not by half of one. */
export function kept(key: string): string {
  return key.length <= KEPT_LENGTH ? key : [...key].slice(0, KEPT_LENGTH + 1).join("");
}

/** Larger for smaller numbers: the order below zero. */
function complement(digits: string): string {
  return digits.replace(/./g, (digit) => (15 - Number.parseInt(digit, 16)).toString(16));
}

/** The keys of every value whose text form is one of these. */
export function keysOfTexts(texts: readonly string[]): string[] {
  const keys = new Set<string>();
  for (const text of texts) {
    keys.add(sortKey(text));
    const number = Number(text);
    if (Number.isFinite(number) && String(number) === text) keys.add(sortKey(number));
    if (text === "true" || text === "false") keys.add(sortKey(text === "true"));
  }
  return [...keys];
}

/** Keys from one up to and including another, for the numbers and for the texts, and single keys beside them. */
export interface KeyRange {
  readonly numbers: readonly [from: string, to: string];
  readonly texts: readonly [from: string, to: string];
  readonly booleans: readonly string[];
}

/** The keys of values that are at least (at most) one of the bounds; as 0.17, each kind is compared in its own way. */
export function keyRange(operator: "gte" | "lte", bounds: readonly string[]): KeyRange {
  const limits = bounds.map(Number).filter((limit) => !Number.isNaN(limit));
  const texts = bounds.map((bound) => sortKey(bound)).sort(compare);
  if (operator === "gte") {
    const least = Math.min(...limits);
    return {
      numbers: [limits.length === 0 ? AFTER_NUMBERS : boundKey(least), AFTER_NUMBERS],
      texts: [texts[0]!, KIND.boolean],
      booleans: [false, true].filter((value) => Number(value) >= least && limits.length > 0).map(sortKey),
    };
  }
  const most = Math.max(...limits);
  return {
    numbers: [KIND.number, limits.length === 0 ? KIND.number : boundKey(most)],
    texts: [KIND.string, texts.at(-1)!],
    booleans: [false, true].filter((value) => Number(value) <= most && limits.length > 0).map(sortKey),
  };
}

/** What meets both. */
export function intersection(a: KeyRange, b: KeyRange): KeyRange {
  const both = (one: readonly [string, string], other: readonly [string, string]): [string, string] => [
    compare(one[0], other[0]) > 0 ? one[0] : other[0],
    compare(one[1], other[1]) < 0 ? one[1] : other[1],
  ];
  return {
    numbers: both(a.numbers, b.numbers),
    texts: both(a.texts, b.texts),
    booleans: a.booleans.filter((key) => b.booleans.includes(key)),
  };
}

function boundKey(limit: number): string {
  if (limit === Number.NEGATIVE_INFINITY) return KIND.number;
  return limit === Number.POSITIVE_INFINITY ? AFTER_NUMBERS : sortKey(limit);
}

/** Coded texts hold no units that JavaScript would order otherwise than the database does. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
