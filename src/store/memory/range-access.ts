import type { Condition, Scalar } from "../../query/query.ts";
import type { StoredRecord } from "../stored-record.ts";
import type { Access } from "./access.ts";
import { inOrder } from "./in-order.ts";
import { type Indexes, PendingIndex } from "./indexes/index-set.ts";
import type { SortedIndex } from "./indexes/sorted-index.ts";

/** The records in the ranges of conditions on one path; the index of that path while it is being built. */
export function rangeAccess(indexes: Indexes, conditions: readonly Condition[]): Access | PendingIndex {
  const index = indexes.range(conditions[0]!.path);
  return index instanceof PendingIndex ? index : new RangeAccess(index, conditions);
}

/** Positions in a sorted index: from `from` up to, not including, `to`. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * Numbers, texts and booleans are compared each in their own way, so each kind is a range of its own in the index. If a
 * record has one value, both bounds apply to it; if it has several, each bound may be met by another value, so that only
 * one bound can be used.
 */
class RangeAccess implements Access {
  readonly meets: readonly Condition[];
  readonly estimate: number;
  /** A record with several entries would be counted several times. */
  readonly isExact: boolean;
  readonly #path: string;
  readonly #index: SortedIndex;
  readonly #stretches: readonly Stretch[];

  constructor(index: SortedIndex, conditions: readonly Condition[]) {
    const used = index.isSingle ? conditions : conditions.slice(0, 1);
    this.#index = index;
    this.#path = used[0]!.path.text;
    this.#stretches = stretchesOf(index, used);
    let entries = 0;
    for (const { from, to } of this.#stretches) entries += to - from;
    this.estimate = entries;
    this.isExact = index.isSingle;
    // The index has the joined texts of arrays, too, which these two do not count.
    this.meets = index.isSingle ? used : used.filter(({ comparison }) => !comparison.bound!.isStrict);
  }

  get name(): string {
    return `range index on ${this.#path}`;
  }

  collect(): readonly StoredRecord[] {
    const records: StoredRecord[] = [];
    for (const { from, to } of this.#stretches) this.#index.collect(from, to, records);
    return inOrder(records);
  }
}

/** The entries that meet all conditions, kind by kind. */
function stretchesOf(index: SortedIndex, conditions: readonly Condition[]): Stretch[] {
  const { numbers, texts, falses, booleans } = index.kinds;
  const stretches: Stretch[] = [];
  if (numbers > 0) stretches.push(stretchWithin(index, conditions, 0, numbers, numberLimit));
  if (texts > numbers) stretches.push(stretchWithin(index, conditions, numbers, texts, textLimit));
  if (falses > texts && holdsFor(false, conditions)) stretches.push({ from: texts, to: falses });
  if (booleans > falses && holdsFor(true, conditions)) stretches.push({ from: falses, to: booleans });
  return stretches;
}

/** Returns the value that decides where a condition with these values begins or ends; undefined where it never holds. */
type LimitOf = (values: readonly string[], isLeast: boolean) => number | string | undefined;

/** The part of the entries from `from` to `to`, all of one kind, that meets all conditions. */
function stretchWithin(
  index: SortedIndex,
  conditions: readonly Condition[],
  from: number,
  to: number,
  limitOf: LimitOf,
): Stretch {
  let start = from;
  let end = to;
  for (const { comparison, values } of conditions) {
    const { isLower, isStrict } = comparison.bound!;
    const limit = limitOf(values, isLower);
    if (limit === undefined) return { from, to: from };
    const rank = index.rank(limit, isLower === isStrict);
    if (isLower) start = Math.max(start, rank);
    else end = Math.min(end, rank);
  }
  return { from: start, to: Math.max(start, end) };
}

function numberLimit(values: readonly string[], isLeast: boolean): number | undefined {
  let limit: number | undefined;
  for (const value of values) {
    const number = Number(value);
    if (Number.isNaN(number)) continue;
    if (limit === undefined || (isLeast ? number < limit : number > limit)) limit = number;
  }
  return limit;
}

function textLimit(values: readonly string[], isLeast: boolean): string | undefined {
  let limit: string | undefined;
  for (const value of values) if (limit === undefined || (isLeast ? value < limit : value > limit)) limit = value;
  return limit;
}

function holdsFor(value: Scalar, conditions: readonly Condition[]): boolean {
  return conditions.every(({ holds }) => holds(value));
}
