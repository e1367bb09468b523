import { conjunctsOf, isCondition, isRange } from "../../query/filter.ts";
import type { Combination, Condition, Filter, Query } from "../../query/query.ts";
import { recordAt, type StoredRecord } from "../stored-record.ts";
import { type Indexes, PendingIndex } from "./indexes/index-set.ts";
import type { SortedIndex } from "./indexes/sorted-index.ts";
import type { TextIndex } from "./indexes/text-index.ts";

/** The shortest text that a trigram index can look up. */
const MIN_TEXT = 3;
/** The most paths that may build an index: a query that needs more than fit into an index set would never end. */
const MAX_PATHS = 8;

/** A way to read only the records that may meet certain conditions. */
export interface Access {
  readonly name: string;
  /** The filters that all its records meet, so that they need no test. */
  readonly meets: readonly Filter[];
  /** The maximum number of its records. */
  readonly estimate: number;
  /** Whether `estimate` is their exact number. */
  readonly isExact: boolean;
  /** The records, in the order of the collection. */
  collect(): readonly StoredRecord[];
  /** A part of the records, where it can be read without collecting all. */
  readonly slice?: (from: number, to: number) => readonly StoredRecord[];
  /** The JSON texts of all records, separated by commas, where they are stored that way. */
  readonly joined?: () => string | undefined;
}

/**
 * The access with the fewest records; undefined when no index helps or the collection is too small for indexes. While an
 * index that may help is being built, that.
 */
export function cheapestAccess(
  { indexes, records }: Indexed,
  query: Query,
  where: readonly Filter[],
): Access | PendingIndex | undefined {
  if (!indexes) return undefined;
  const [only] = where;
  // Hot path: one equality, as most filters are.
  if (where.length === 1 && only?.operator === "eq" && !only.isNegated && query.search === "") {
    return equalityAccess(indexes, records, only);
  }
  const candidates = new AccessFinder(indexes, records).accessesFor(where);
  if (query.search.length >= MIN_TEXT) {
    const index = indexes.search();
    if (index) candidates.push(textAccess(index, [query.search], "text index on all fields"));
  }
  return cheapest(candidates);
}

/** A collection, or what it has of indexes at a time. */
interface Indexed {
  readonly indexes: Indexes | undefined;
  readonly records: readonly StoredRecord[];
}

type Candidate = Access | PendingIndex | undefined;

/** The candidate with the fewest records, once no index is being built. */
function cheapest(candidates: readonly Candidate[]): Candidate {
  let best: Access | undefined;
  const pending: PendingIndex[] = [];
  for (const access of candidates) {
    if (access instanceof PendingIndex) pending.push(access);
    else if (access && (!best || access.estimate < best.estimate)) best = access;
  }
  return pending.length === 0 ? best : allOf(pending);
}

function allOf(pending: readonly PendingIndex[]): PendingIndex {
  return new PendingIndex(Promise.all(pending.map(({ done }) => done)).then(() => {}));
}

/** Finds the accesses for the filters of one query. */
class AccessFinder {
  readonly #indexes: Indexes;
  readonly #records: readonly StoredRecord[];
  readonly #paths = new Set<string>();

  constructor(indexes: Indexes, records: readonly StoredRecord[]) {
    this.#indexes = indexes;
    this.#records = records;
  }

  /** The accesses for filters that must all be met. */
  accessesFor(filters: readonly Filter[]): Candidate[] {
    const candidates: Candidate[] = [];
    const ranges = new Map<string, Condition[]>();
    for (const filter of filters) {
      if (!isCondition(filter)) candidates.push(this.#unionFor(filter));
      else if (filter.isNegated || !this.#mayUse(filter)) continue;
      else if (isRange(filter)) addRange(ranges, filter);
      else candidates.push(this.#accessFor(filter));
    }
    for (const conditions of ranges.values()) candidates.push(rangeAccess(this.#indexes, this.#records, conditions));
    return candidates;
  }

  /** For alternatives: all records of the cheapest accesses to each. */
  #unionFor(combination: Combination): Candidate {
    const parts = combination.parts.map(conjunctsOf);
    const candidates = parts.map((filters) => cheapest(this.accessesFor(filters)));
    const pending = candidates.filter((access) => access instanceof PendingIndex);
    if (pending.length > 0) return allOf(pending);
    const accesses = candidates.filter((access) => access !== undefined) as Access[];
    if (accesses.length < parts.length) return undefined;
    const isMet = accesses.every((access, at) => parts[at]!.every((filter) => access.meets.includes(filter)));
    return {
      name: accesses.length === 0 ? "no alternative" : [...new Set(accesses.map(({ name }) => name))].join(" or "),
      meets: isMet ? [combination] : [],
      estimate: accesses.reduce((sum, { estimate }) => sum + estimate, 0),
      isExact: false,
      collect: () =>
        union(
          this.#records,
          accesses.map((access) => access.collect()),
        ),
    };
  }

  #accessFor(condition: Condition): Candidate {
    switch (condition.operator) {
      case "eq":
        return equalityAccess(this.#indexes, this.#records, condition);
      case "like":
      case "contains":
      case "startsWith":
      case "endsWith":
        return likeAccess(this.#indexes, condition);
      default:
        return undefined;
    }
  }

  #mayUse({ path }: Condition): boolean {
    if (this.#paths.size >= MAX_PATHS && !this.#paths.has(path.text)) return false;
    this.#paths.add(path.text);
    return true;
  }
}

function addRange(byPath: Map<string, Condition[]>, condition: Condition): void {
  const known = byPath.get(condition.path.text);
  if (known) known.push(condition);
  else byPath.set(condition.path.text, [condition]);
}

function equalityAccess(indexes: Indexes, all: readonly StoredRecord[], condition: Condition): Access | PendingIndex {
  const index = indexes.equality(condition.path);
  if (index instanceof PendingIndex) return index;
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
  const found: StoredRecord[] = [];
  for (const text of new Set(condition.values)) index.collect(text, found);
  const records = inOrder(all, found);
  return { name, meets: [condition], estimate: records.length, isExact: true, collect: () => records };
}

/**
 * Numbers, texts and booleans are compared each in their own way, so each kind is a range of its own in the index. If a
 * record has one value, both bounds apply to it; if it has several, each bound may be met by another value, so that only
 * one bound can be used.
 */
function rangeAccess(
  indexes: Indexes,
  all: readonly StoredRecord[],
  conditions: readonly Condition[],
): Access | PendingIndex {
  const index = indexes.range(conditions[0]!.path);
  if (index instanceof PendingIndex) return index;
  const used = index.isSingle ? conditions : conditions.slice(0, 1);
  const found = used.map((condition) => stretchesOf(index, condition)).reduce(overlap);
  const entries = found.reduce((sum, [from, to]) => sum + to - from, 0);
  const collect = (): StoredRecord[] => {
    const records: StoredRecord[] = [];
    for (const [from, to] of found) index.collect(from, to, records);
    return inOrder(all, records);
  };
  return {
    name: `range index on ${used[0]?.path.text}`,
    // The index has the joined texts of arrays, too, which these two do not count.
    meets: index.isSingle ? used : used.filter(({ operator }) => operator !== "gt" && operator !== "lt"),
    estimate: entries,
    // A record with several entries would be counted several times.
    isExact: index.isSingle,
    collect,
  };
}

function stretchesOf(index: SortedIndex, condition: Condition): Stretch[] {
  return [numberStretch(index, condition), textStretch(index, condition), ...booleanStretches(index, condition)];
}

/** The intersection of two lists of ranges, kind by kind. */
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
  const rankOf = (isBefore: (number: number) => boolean): number =>
    index.rank((value) => typeof value === "number" && isBefore(value));
  const least = Math.min(...limits);
  const most = Math.max(...limits);
  switch (operator) {
    case "gt":
      return [rankOf((number) => number <= least), numbers];
    case "gte":
      return [rankOf((number) => number < least), numbers];
    case "lt":
      return [0, rankOf((number) => number < most)];
    default:
      return [0, rankOf((number) => number <= most)];
  }
}

function textStretch(index: SortedIndex, { operator, values }: Condition): Stretch {
  const { numbers, texts } = index.kinds;
  if (numbers === texts) return [numbers, numbers];
  const sorted = [...values].sort((a, b) => (a < b ? -1 : 1));
  const rankOf = (isBefore: (text: string) => boolean): number =>
    index.rank((value) => typeof value === "number" || (typeof value === "string" && isBefore(value)));
  const least = sorted[0]!;
  const most = sorted.at(-1)!;
  switch (operator) {
    case "gt":
      return [rankOf((text) => text <= least), texts];
    case "gte":
      return [rankOf((text) => text < least), texts];
    case "lt":
      return [numbers, rankOf((text) => text < most)];
    default:
      return [numbers, rankOf((text) => text <= most)];
  }
}

/** Two ranges, for false and for true; empty where the condition does not hold. */
function booleanStretches({ kinds }: SortedIndex, { holds }: Condition): [Stretch, Stretch] {
  const { texts, falses, booleans } = kinds;
  return [
    [texts, holds(false) ? falses : texts],
    [falses, holds(true) ? booleans : falses],
  ];
}

function likeAccess(indexes: Indexes, condition: Condition): Access | undefined {
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

/** The records of several lists, each in the order of the collection: in that order, without duplicates. */
function union(all: readonly StoredRecord[], lists: readonly (readonly StoredRecord[])[]): readonly StoredRecord[] {
  const [first = [], second = []] = lists;
  return lists.length <= 2 ? merge(first, second) : inOrder(all, lists.flat());
}

function merge(a: readonly StoredRecord[], b: readonly StoredRecord[]): readonly StoredRecord[] {
  if (b.length === 0) return a;
  const merged: StoredRecord[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const difference = i === a.length ? 1 : j === b.length ? -1 : a[i]!.slot - b[j]!.slot;
    merged.push(difference <= 0 ? a[i]! : b[j]!);
    if (difference <= 0) i++;
    if (difference >= 0) j++;
  }
  return merged;
}

/** The records in the order of the collection, without duplicates. Sorts numbers, which is many times faster. */
function inOrder(all: readonly StoredRecord[], records: readonly StoredRecord[]): StoredRecord[] {
  const slots = new Float64Array(records.length);
  for (let at = 0; at < slots.length; at++) slots[at] = records[at]!.slot;
  slots.sort();
  const sorted: StoredRecord[] = [];
  for (let at = 0; at < slots.length; at++) {
    if (at === 0 || slots[at] !== slots[at - 1]) sorted.push(recordAt(all, slots[at]!)!);
  }
  return sorted;
}
