import { judgedValues } from "../../../query/condition.ts";
import type { Path } from "../../../query/path.ts";
import type { Scalar } from "../../../query/query.ts";
import { type Id, lookupKey } from "../../ids.ts";
import type { StoredRecord } from "../../stored-record.ts";
import { positionOf } from "../slots.ts";

/** One record stands alone, so that a field of unique values costs no array for each. */
type Postings = StoredRecord | StoredRecord[];

/** Records by the values at a path, each list in the order of the collection. Exact for values of every kind. */
export class EqualityIndex {
  readonly #path: Path;
  readonly #postings = new Map<Id, Postings>();

  constructor(path: Path, records: readonly StoredRecord[]) {
    this.#path = path;
    for (const record of records) this.insert(record);
  }

  /** The records with a value whose text is this one. */
  get(text: string): readonly StoredRecord[] {
    const postings = this.#postings.get(lookupKey(text));
    if (postings === undefined) return [];
    return Array.isArray(postings) ? postings : [postings];
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
  return lookupKey(typeof value === "boolean" ? String(value) : value);
}

function insertBySlot(records: StoredRecord[], record: StoredRecord): void {
  const last = records[records.length - 1]!;
  if (last.slot < record.slot) records.push(record);
  else records.splice(positionOf(records, record.slot), 0, record);
}
