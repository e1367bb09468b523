import { andThen, type Eventually } from "../base/eventually.ts";
import { nextTurn } from "../base/slices.ts";
import type { Payer } from "../base/work-account.ts";
import { type ObjectConditions, readConditions } from "../query/conditions-object.ts";
import { parseFields } from "../query/fields.ts";
import type { HasPath } from "../query/filter-reader.ts";
import { EVERYTHING, hasFilters, nameList, type Parameters, parseQuery } from "../query/parse-query.ts";
import { PatternPasses, PatternsPending } from "../query/pattern-passes.ts";
import type { FieldSelection, Query } from "../query/query.ts";
import type { Store } from "./store.ts";

/**
 * Parses a query against the fields that the records have: a name such as `check_in` or `price:gt` may be a field, or an
 * operator behind one. Asks the store only about such names, and again while the answers raise further questions.
 */
export function readQuery(store: Store, collection: string, parameters: Parameters, payer?: Payer): Eventually<Query> {
  if (parameters.size === 0) return EVERYTHING;
  const read = (has: HasPath): Query => {
    const query = parseQuery(parameters, has);
    query.payer = payer;
    return query;
  };
  const patterns = hasFilters(parameters) ? new PatternPasses() : undefined;
  return readKnowing(NOTHING, { store, collection, read, payer, patterns });
}

/** Parses `_fields` alone, for a single record. */
export function readFields(store: Store, collection: string, parameters: Parameters) {
  const read = (has: HasPath): FieldSelection | undefined =>
    has("_fields") ? undefined : parseFields(nameList(parameters, "_fields"), has);
  return readWith(store, collection, read);
}

/** Reads conditions that are an object, for programs. */
export function readObject(store: Store, collection: string, conditions: object): Eventually<ObjectConditions> {
  return readWith(store, collection, (has) => readConditions(conditions, has));
}

const NOTHING: ReadonlyMap<string, boolean> = new Map();

/** The parts of reading something that stay the same from one try to the next. */
interface Reading<T> {
  readonly store: Store;
  readonly collection: string;
  readonly read: (has: HasPath) => T;
  /** Undefined where there can be none. */
  readonly patterns: PatternPasses | undefined;
  readonly payer?: Payer | undefined;
}

function readWith<T>(store: Store, collection: string, read: (has: HasPath) => T): Eventually<T> {
  return readKnowing(NOTHING, { store, collection, read, patterns: new PatternPasses() });
}

function readKnowing<T>(known: ReadonlyMap<string, boolean>, reading: Reading<T>): Eventually<T> {
  const { store, collection, read, patterns } = reading;
  let unknown: Set<string> | undefined;
  const has = (path: string): boolean => {
    const isHeld = known.get(path) ?? store.heldAtHand(collection, path);
    if (isHeld === undefined) unknown = (unknown ?? new Set()).add(path);
    return isHeld ?? false;
  };
  let value: T;
  try {
    value = patterns ? patterns.read(read, has) : read(has);
  } catch (refusal) {
    if (refusal instanceof PatternsPending) return readOn(known, reading, refusal.spentMs);
    // What is refused may be right once the answers are in.
    if (!unknown) throw refusal;
    return readAnswered(unknown, known, reading);
  }
  return unknown ? readAnswered(unknown, known, reading) : value;
}

/** Lets others run before the next of the patterns are compiled. */
async function readOn<T>(known: ReadonlyMap<string, boolean>, reading: Reading<T>, spentMs: number): Promise<T> {
  reading.payer?.account.charge(spentMs);
  await nextTurn();
  return readKnowing(known, reading);
}

function readAnswered<T>(
  asked: ReadonlySet<string>,
  known: ReadonlyMap<string, boolean>,
  reading: Reading<T>,
): Eventually<T> {
  const { store, collection, payer } = reading;
  return andThen(store.heldPaths(collection, [...asked], payer?.account), (held) => {
    const answers = new Map(known);
    for (const path of asked) answers.set(path, held.has(path));
    return readKnowing(answers, reading);
  });
}
