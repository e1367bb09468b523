import type { Json } from "../../json.ts";
import type { Condition, Query } from "../../query/query.ts";
import type { StoredRecord } from "../stored-record.ts";
import type { Collection } from "./collection.ts";
import type { IndexSet } from "./indexes/index-set.ts";
import type { SortedIndex } from "./indexes/sorted-index.ts";
import type { TextIndex } from "./indexes/text-index.ts";

/** A trigram index helps from this many letters on. */
const MIN_TEXT = 3;

/** A way to get at the records that may meet one condition, without looking at the others. */
export interface Access {
  readonly name: string;
  /** The conditions that every record it gives meets, so that they need not be tested. */
  readonly meets: readonly Condition[];
  /** How many records it gives, at most. */
  readonly estimate: number;
  /** Whether `estimate` is their exact number. */
  readonly isExact: boolean;
  /** The records, in the order of the collection. */
  collect(): readonly StoredRecord[];
  /** A part of them, where that can be had without collecting all. */
  readonly slice?: (from: number, to: number) => readonly StoredRecord[];
}

/** The way that gives the fewest records; undefined when no index helps, or the collection is too small to have any. */
export function cheapestAccess({ indexes }: Collection, query: Query, where: readonly Condition[]): Access | undefined {
  if (!indexes) return undefined;
  const ways = [
    ...where.map((condition) => accessFor(indexes, condition)),
    ...pathsOfRanges(where).map((conditions) => rangeAccess(indexes.range(conditions[0]!.path), conditions)),
  ];
  if (query.search.length >= MIN_TEXT) {
    const index = indexes.search();
    if (index) ways.push(textAccess(index, [query.search], "text index on all fields"));
  }
  let best: Access | undefined;
  for (const way of ways) if (way && (!best || way.estimate < best.estimate)) best = way;
  return best;
}

function accessFor(indexes: IndexSet, condition: Condition): Access | undefined {
  switch (condition.operator) {
    case "eq":
      return equalityAccess(indexes, condition);
    case "like":
      return likeAccess(indexes, condition);
    case "gte":
    case "lte":
    case "ne":
      return undefined;
  }
}

/** The range conditions, those on one path together. */
function pathsOfRanges(where: readonly Condition[]): Condition[][] {
  const byPath = new Map<string, Condition[]>();
  for (const condition of where) {
    if (condition.operator !== "gte" && condition.operator !== "lte") continue;
    const known = byPath.get(condition.path.text);
    if (known) known.push(condition);
    else byPath.set(condition.path.text, [condition]);
  }
  return [...byPath.values()];
}

function equalityAccess(indexes: IndexSet, condition: Condition): Access {
  const index = indexes.equality(condition.path);
  const lists = [...new Set(condition.values)].map((value) => index.get(value));
  const name = `equality index on ${condition.path.text}`;
  const [only] = lists;
  if (lists.length === 1 && only) {
    // Copied: the list itself changes with the next write.
    const collect = (): StoredRecord[] => only.slice();
    return {
      name,
      meets: [condition],
      estimate: only.length,
      isExact: true,
      collect,
      slice: (from, to) => only.slice(from, to),
    };
  }
  const records = inOrder(lists.flat());
  return { name, meets: [condition], estimate: records.length, isExact: true, collect: () => records };
}

/**
 * Numbers, texts and booleans are compared each in their own way, so each has a stretch of its own in the order. Where a
 * record has one value, a lower and an upper bound mean the same value; where it has several, each bound may be met by
 * another one, and only one bound can be used.
 */
function rangeAccess(index: SortedIndex, conditions: readonly Condition[]): Access {
  const used = index.isSingle ? conditions : conditions.slice(0, 1);
  const found = used.map((condition) => stretchesOf(index, condition)).reduce(overlap);
  const entries = found.reduce((sum, [from, to]) => sum + to - from, 0);
  return {
    name: `range index on ${used[0]?.path.text}`,
    meets: used,
    estimate: entries,
    // A record that stands several times would be counted several times.
    isExact: index.isSingle,
    collect: () => inOrder(found.flatMap(([from, to]) => index.slice(from, to))),
  };
}

function stretchesOf(index: SortedIndex, condition: Condition): Stretch[] {
  return [numberStretch(index, condition), textStretch(index, condition), ...booleanStretches(index, condition)];
}

/** Kind by kind, what both have. */
function overlap(a: readonly Stretch[], b: readonly Stretch[]): Stretch[] {
  return a.map(([from, to], kind): Stretch => {
    const [otherFrom, otherTo] = b[kind]!;
    const start = Math.max(from, otherFrom);
    return [start, Math.max(start, Math.min(to, otherTo))];
  });
}

type Stretch = readonly [from: number, to: number];
const isNumber = (value: Json | undefined): value is number => typeof value === "number";
const isText = (value: Json | undefined): value is string => typeof value === "string";

function numberStretch(index: SortedIndex, { operator, values }: Condition): Stretch {
  const limits = values.map(Number).filter((limit) => !Number.isNaN(limit));
  if (limits.length === 0) return [0, 0];
  if (operator === "gte") {
    const limit = Math.min(...limits);
    return [index.rank((value) => isNumber(value) && value < limit), index.rank(isNumber)];
  }
  const limit = Math.max(...limits);
  return [0, index.rank((value) => isNumber(value) && value <= limit)];
}

function textStretch(index: SortedIndex, { operator, values }: Condition): Stretch {
  const sorted = [...values].sort((a, b) => (a < b ? -1 : 1));
  const isUpTo = (value: Json | undefined): boolean => isNumber(value) || isText(value);
  if (operator === "gte") {
    const bound = sorted[0]!;
    return [index.rank((value) => isNumber(value) || (isText(value) && value < bound)), index.rank(isUpTo)];
  }
  const bound = sorted.at(-1)!;
  return [index.rank(isNumber), index.rank((value) => isNumber(value) || (isText(value) && value <= bound))];
}

/** Two stretches, for false and for true; an empty one where the condition does not hold. */
function booleanStretches(index: SortedIndex, { holds }: Condition): [Stretch, Stretch] {
  const start = index.rank((value) => isNumber(value) || isText(value));
  const middle = index.rank((value) => isNumber(value) || isText(value) || value === false);
  return [
    [start, holds(false) ? middle : start],
    [middle, holds(true) ? index.size : middle],
  ];
}

function likeAccess(indexes: IndexSet, condition: Condition): Access | undefined {
  const [literals, ...more] = condition.literals ?? [];
  const long = (literals ?? []).filter((literal) => literal.length >= MIN_TEXT);
  if (long.length === 0 || more.length > 0) return undefined;
  const index = indexes.text(condition.path);
  return index && textAccess(index, long, `text index on ${condition.path.text}`);
}

function textAccess(index: TextIndex, texts: readonly string[], name: string): Access {
  const estimates = texts.map((text) => index.estimate(text));
  const estimate = Math.min(...estimates);
  const rarest = texts[estimates.indexOf(estimate)]!;
  return { name, meets: [], estimate, isExact: false, collect: () => index.candidates(rarest) };
}

/** In the order of the collection, each record once. */
function inOrder(records: readonly StoredRecord[]): StoredRecord[] {
  const sorted = records.toSorted((a, b) => a.slot - b.slot);
  return sorted.filter((record, position) => position === 0 || record !== sorted[position - 1]);
}
