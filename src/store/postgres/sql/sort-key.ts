import type { Scalar } from "../../../query/query.ts";
import { encodeText } from "../tables/coded-text.ts";

/**
 * The first character of a sort key. Keys are texts whose byte order is the total order of values: a digit for the kind
 * (numbers, texts, booleans, others, null, missing), then the value. The database computes the same keys by `sort_key`.
 */
export const KIND = { number: "1", string: "2", boolean: "3", other: "4", null: "5", missing: "6" } as const;
/** Above every number and below every text. */
const AFTER_NUMBERS = `${KIND.number}~`;
/** Stored keys are truncated to this many characters of the value: an index has no room for more. */
export const MAX_KEY_LENGTH = 500;

const bits = Buffer.alloc(8);

export function sortKey(value: Scalar): string {
  if (typeof value === "string") return KIND.string + encodeText(value);
  if (typeof value === "boolean") return KIND.boolean + value;
  // Negative zero has the key of zero.
  bits.writeDoubleBE(Math.abs(value));
  const digits = bits.toString("hex");
  // Trailing zeros, of which whole numbers have many, do not affect the order; without them, indexes are half as large.
  if (value >= 0) return `${KIND.number}p${digits.replace(/0+$/, "")}`;
  return `${KIND.number}n${complement(digits)}`;
}

/** Truncates a key as the database does: by characters, never within a surrogate pair. */
export function truncateKey(key: string): string {
  return key.length <= MAX_KEY_LENGTH ? key : [...key].slice(0, MAX_KEY_LENGTH + 1).join("");
}

/** Reverses the order, for negative numbers. */
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

/** Inclusive ranges of the keys of numbers and texts, and single keys of booleans. */
export interface KeyRange {
  readonly numbers: readonly [from: string, to: string];
  readonly texts: readonly [from: string, to: string];
  readonly booleans: readonly string[];
}

/** The keys of values that are at least (at most) one of the bounds. Like 0.17, compares each kind in its own way. */
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

/** The range with its bounds truncated like stored keys. */
export function truncateRange({ numbers, texts, booleans }: KeyRange): KeyRange {
  const truncate = ([from, to]: KeyRange["texts"]): KeyRange["texts"] => [truncateKey(from), truncateKey(to)];
  return { numbers: truncate(numbers), texts: truncate(texts), booleans };
}

/** The keys in both ranges. */
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

/** Compares like the database: coded texts contain no units that JavaScript orders differently. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
