import type { Json } from "../../../base/json/json.ts";
import type { Condition, Scalar } from "../../../query/query.ts";
import { textOf } from "../../../query/text.ts";
import { encodeText, nearestFinite } from "../tables/coded-text.ts";

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
  const number = nearestFinite(Number(value));
  // Negative zero has the key of zero.
  bits.writeDoubleBE(Math.abs(number));
  const digits = bits.toString("hex");
  // Trailing zeros, of which whole numbers have many, do not affect the order; without them, indexes are half as large.
  if (number >= 0) return `${KIND.number}p${digits.replace(/0+$/, "")}`;
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

/** Ranges of the keys of numbers and texts, without their ends, and single keys of booleans. */
export interface KeyRange {
  readonly numbers: readonly [from: string, end: string];
  readonly texts: readonly [from: string, end: string];
  readonly booleans: readonly string[];
}

/** Between a key and everything that begins with it: no coded text has this character alone. */
const NEXT = "\u0001";

/** The keys of values that are above (below) one of the bounds. Like 0.17, compares each kind in its own way. */
export function keyRange({ comparison, values: bounds, holds }: Condition): KeyRange {
  const limits = bounds.map(Number).filter((limit) => !Number.isNaN(limit));
  const texts = bounds.map((bound) => sortKey(bound)).sort(compare);
  const { isLower: isAbove, isStrict } = comparison.bound!;
  const limit = isAbove ? Math.min(...limits) : Math.max(...limits);
  const text = (isAbove ? texts[0] : texts.at(-1)) ?? KIND.string;
  const booleans = [false, true].filter(holds);
  // A range from the bound on begins with it; one up to it ends behind it. The strict ones leave it out.
  const place = (key: string): string => (isAbove === isStrict ? key + NEXT : key);
  if (isAbove) {
    const from = limits.length === 0 ? AFTER_NUMBERS : place(boundKey(limit));
    return { numbers: [from, AFTER_NUMBERS], texts: [place(text), KIND.boolean], booleans: booleans.map(sortKey) };
  }
  const end = limits.length === 0 ? KIND.number : place(boundKey(limit));
  return { numbers: [KIND.number, end], texts: [KIND.string, place(text)], booleans: booleans.map(sortKey) };
}

/** The key of any value, as the database computes it in full. */
export function fullKey(value: Json | undefined): string {
  if (value === undefined) return KIND.missing;
  if (value === null) return KIND.null;
  return typeof value === "object" ? KIND.other + encodeText(textOf(value)) : sortKey(value);
}

/** The range of the truncated keys; it includes keys that are outside in full. */
export function truncateRange({ numbers, texts, booleans }: KeyRange): KeyRange {
  const [from, end] = texts;
  const last = truncateKey(end);
  return { numbers, texts: [truncateKey(from), last === end ? end : last + NEXT], booleans };
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
