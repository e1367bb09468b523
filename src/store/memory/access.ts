import type { Condition, Query } from "../../query/query.ts";
import { recordAt, type StoredRecord } from "../stored-record.ts";
import type { Collection } from "./collection.ts";
import { Building, type IndexSet } from "./indexes/index-set.ts";
import type { SortedIndex } from "./indexes/sorted-index.ts";
import type { TextIndex } from "./indexes/text-index.ts";

/** A trigram index helps from this many letters on. */
const MIN_TEXT = 3;
/** So many conditions of a query may ask for an index; a query with more of them than there may be indexes would never end. */
const MAX_CONSIDERED = 8;

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
  /** The JSON texts of all of them, separated by commas, where they are kept that way. */
  readonly joined?: () => string | undefined;
}

/**
 * The way that gives the fewest records; undefined when no index helps, or the collection is too small to have any. While
 * an index that may help is being built, that building.
 */
export function cheapestAccess(
  { indexes, records }: Collection,
  query: Query,
  where: readonly Condition[],
): Access | Building | undefined {
  if (!indexes) return undefined;
  const considered = where.slice(0, MAX_CONSIDERED);
  const ways = [
    ...considered.map((condition) => accessFor(indexes, condition)),
    ...pathsOfRanges(considered).map((conditions) => rangeAccess(indexes, records, conditions)),
  ];
  if (query.search.length >= MIN_TEXT) {
    const index = indexes.search();
    if (index) ways.push(textAccess(index, [query.search], "text index on all fields"));
  }
  let best: Access | undefined;
  const building: Building[] = [];
  for (const way of ways) {
    if (way instanceof Building) building.push(way);
    else if (way && (!best || way.estimate < best.estimate)) best = way;
  }
  if (building.length === 0) return best;
  return new Building(Promise.all(building.map(({ done }) => done)).then(() => {}));
}

function accessFor(indexes: IndexSet, condition: Condition): Access | Building | undefined {
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

function equalityAccess(indexes: IndexSet, condition: Condition): Access | Building {
  const index = indexes.equality(condition.path);
  if (index instanceof Building) return index;
  const name = `equality index on ${condition.path.text}`;
  const [value, ...others] = condition.values;
  if (value !== undefined && others.length === 0) {
    const records = index.get(value);
    // Copied: the list itself changes with the next write.
    return {
      name,
      meets: [condition],
      estimate: records.length,
      isExact: true,
      collect: () => records.slice(),
      slice: (from, to) => records.slice(from, to),
      joined: () => index.joined(value),
    };
  }
  const records = inOrder([...new Set(condition.values)].flatMap((one) => index.get(one)));
  return { name, meets: [condition], estimate: records.length, isExact: true, collect: () => records };
}

/**
 * Numbers, texts and booleans are compared each in their own way, so each has a stretch of its own in the order. Where a
 * record has one value, a lower and an upper bound mean the same value; where it has several, each bound may be met by
 * another one, and only one bound can be used.
 */
function rangeAccess(
  indexes: IndexSet,
  all: readonly StoredRecord[],
  conditions: readonly Condition[],
): Access | Building {
  const index = indexes.range(conditions[0]!.path);
  if (index instanceof Building) return index;
  const used = index.isSingle ? conditions : conditions.slice(0, 1);
  const found = used.map((condition) => stretchesOf(index, condition)).reduce(overlap);
  const entries = found.reduce((sum, [from, to]) => sum + to - from, 0);
  const collect = (): StoredRecord[] => {
    const records: StoredRecord[] = [];
    for (const [from, to] of found) index.collect(from, to, records);
    return index.isSingle ? inOrderOf(all, records) : inOrder(records);
  };
  return {
    name: `range index on ${used[0]?.path.text}`,
    meets: used,
    estimate: entries,
    // A record that stands several times would be counted several times.
    isExact: index.isSingle,
    collect,
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

function numberStretch(index: SortedIndex, { operator, values }: Condition): Stretch {
  const { numbers } = index.kinds;
  const limits = values.map(Number).filter((limit) => !Number.isNaN(limit));
  if (numbers === 0 || limits.length === 0) return [0, 0];
  if (operator === "gte") {
    const limit = Math.min(...limits);
    return [index.rank((value) => typeof value === "number" && value < limit), numbers];
  }
  const limit = Math.max(...limits);
  return [0, index.rank((value) => typeof value === "number" && value <= limit)];
}

function textStretch(index: SortedIndex, { operator, values }: Condition): Stretch {
  const { numbers, texts } = index.kinds;
  if (numbers === texts) return [numbers, numbers];
  const sorted = [...values].sort((a, b) => (a < b ? -1 : 1));
  const rankOf = (isBefore: (text: string) => boolean): number =>
    index.rank((value) => typeof value === "number" || (typeof value === "string" && isBefore(value)));
  if (operator === "gte") {
    const bound = sorted[0]!;
    return [rankOf((text) => text < bound), texts];
  }
  const bound = sorted.at(-1)!;
  return [numbers, rankOf((text) => text <= bound)];
}

/** Two stretches, for false and for true; an empty one where the condition does not hold. */
function booleanStretches({ kinds }: SortedIndex, { holds }: Condition): [Stretch, Stretch] {
  const { texts, falses, booleans } = kinds;
  return [
    [texts, holds(false) ? falses : texts],
    [falses, holds(true) ? booleans : falses],
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
  const collect = (): StoredRecord[] => index.candidates(texts);
  return { name, meets: [], estimate: index.estimate(texts), isExact: false, collect };
}

/** In the order of the collection, each record once. */
function inOrder(records: readonly StoredRecord[]): StoredRecord[] {
  const sorted = records.toSorted((a, b) => a.slot - b.slot);
  return sorted.filter((record, position) => position === 0 || record !== sorted[position - 1]);
}

/** In the order of the collection; no record stands twice. Plain numbers are sorted many times faster than records. */
function inOrderOf(all: readonly StoredRecord[], records: StoredRecord[]): StoredRecord[] {
  const slots = new Float64Array(records.length);
  for (let at = 0; at < slots.length; at++) slots[at] = records[at]!.slot;
  slots.sort();
  return records.map((_, at) => recordAt(all, slots[at]!)!);
}
