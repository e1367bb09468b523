import { STEP, type Work } from "../../../base/slices.ts";
import { judgedValues } from "../../../query/condition.ts";
import type { Path } from "../../../query/path.ts";
import type { Scalar } from "../../../query/query.ts";
import { type Id, lookupKey } from "../../ids.ts";
import { positionOf, type StoredRecord } from "../../stored-record.ts";

/** A single record without an array, so that a field of unique values costs none. */
type Postings = StoredRecord | StoredRecord[];

/** Records by the values at a path, each list in the order of the collection. Exact for values of every type. */
export class EqualityIndex {
  readonly #path: Path;
  /** Finds the only record with a value, where that is its id: then nothing is stored here. */
  readonly #find: ((key: Id) => StoredRecord | undefined) | undefined;
  readonly #postings = new Map<Id, Postings>();

  constructor(path: Path, find?: (key: Id) => StoredRecord | undefined) {
    this.#path = path;
    this.#find = find;
  }

  static *build(path: Path, records: readonly StoredRecord[]): Work<EqualityIndex> {
    const index = new EqualityIndex(path);
    for (let at = 0; at < records.length; at++) {
      index.insert(records[at]!);
      if (at % STEP === 0) yield;
    }
    return index;
  }

  /** The records that have a value with this text. */
  get(text: string): readonly StoredRecord[] {
    const postings = this.#postingsOf(lookupKey(text));
    if (postings === undefined) return [];
    return Array.isArray(postings) ? postings : [postings];
  }

  /** Adds the records that have a value with this text. */
  collect(text: string, records: StoredRecord[]): void {
    const postings = this.#postingsOf(lookupKey(text));
    if (Array.isArray(postings)) for (const record of postings) records.push(record);
    else if (postings !== undefined) records.push(postings);
  }

  #postingsOf(key: Id): Postings | undefined {
    return this.#find ? this.#find(key) : this.#postings.get(key);
  }

  insert(record: StoredRecord): void {
    for (const key of this.#keysOf(record)) {
      const postings = this.#postings.get(key);
      if (postings === undefined) this.#postings.set(key, record);
      else if (Array.isArray(postings)) insertBySlot(postings, record);
      else this.#postings.set(key, postings.slot < record.slot ? [postings, record] : [record, postings]);
    }
  }

  remove(record: StoredRecord): void {
    for (const key of this.#keysOf(record)) {
      const postings = this.#postings.get(key);
      if (!Array.isArray(postings) || postings.length === 1) this.#postings.delete(key);
      else postings.splice(positionOf(postings, record.slot), 1);
    }
  }

  #keysOf(record: StoredRecord): Iterable<Id> {
    const values = judgedValues(record.value, this.#path);
    if (values.length === 1) return [keyOf(values[0]!)];
    return new Set(values.map(keyOf));
  }
}

/** 1 and "1" have the same text, so they have the same key. */
function keyOf(value: Scalar): Id {
  return lookupKey(typeof value === "boolean" || typeof value === "object" ? String(value) : value);
}

function insertBySlot(records: StoredRecord[], record: StoredRecord): void {
  const last = records[records.length - 1]!;
  if (last.slot < record.slot) records.push(record);
  else records.splice(positionOf(records, record.slot), 0, record);
}
