import { type ObjectConditions, readConditions } from "../query/conditions-object.ts";
import { parseFields } from "../query/fields.ts";
import type { HasPath } from "../query/operators.ts";
import type { Parameters } from "../query/parameters.ts";
import { EVERYTHING, nameList, parseQuery } from "../query/parse-query.ts";
import type { FieldSelection, Query } from "../query/query.ts";
import type { WorkAccount } from "../work-account.ts";
import type { Eventually, Store } from "./store.ts";

/**
 * Parses a query against the fields that the records have: a name such as `check_in` or `price:gt` may be a field, or an
 * operator behind one. Asks the store only about such names, and again while the answers raise further questions.
 */
export function readQuery(
  store: Store,
  collection: string,
  parameters: Parameters,
  account?: WorkAccount,
): Eventually<Query> {
  if (parameters.size === 0) return EVERYTHING;
  const read = (has: HasPath): Query => {
    const query = parseQuery(parameters, has);
    query.account = account;
    return query;
  };
  return readKnowing(NOTHING, { store, collection, account }, read);
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

/** The records whose fields are asked for, and the account that pays for finding out. */
interface Fields {
  readonly store: Store;
  readonly collection: string;
  readonly account: WorkAccount | undefined;
}

function readWith<T>(store: Store, collection: string, read: (has: HasPath) => T): Eventually<T> {
  return readKnowing(NOTHING, { store, collection, account: undefined }, read);
}

function readKnowing<T>(known: ReadonlyMap<string, boolean>, fields: Fields, read: (has: HasPath) => T): Eventually<T> {
  const { store, collection } = fields;
  let unknown: Set<string> | undefined;
  const has = (path: string): boolean => {
    const isHeld = known.get(path) ?? store.heldAtHand?.(collection, path);
    if (isHeld === undefined) unknown = (unknown ?? new Set()).add(path);
    return isHeld ?? false;
  };
  let value: T;
  try {
    value = read(has);
  } catch (refusal) {
    // What is refused may be right once the answers are in.
    if (!unknown) throw refusal;
    return readAnswered(unknown, known, fields, read);
  }
  return unknown ? readAnswered(unknown, known, fields, read) : value;
}

function readAnswered<T>(
  asked: ReadonlySet<string>,
  known: ReadonlyMap<string, boolean>,
  fields: Fields,
  read: (has: HasPath) => T,
): Eventually<T> {
  const note = (held: ReadonlySet<string>): Eventually<T> => {
    const answers = new Map(known);
    for (const path of asked) answers.set(path, held.has(path));
    return readKnowing(answers, fields, read);
  };
  const held = fields.store.heldPaths(fields.collection, [...asked], fields.account);
  return held instanceof Promise ? held.then(note) : note(held);
}
