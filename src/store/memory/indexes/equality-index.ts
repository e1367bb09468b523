import { STEP, type Work } from "../../../base/slices.ts";
import { judgedValues } from "../../../query/condition.ts";
import type { Path } from "../../../query/path.ts";
import type { Scalar } from "../../../query/query.ts";
import { isAscii } from "../../../query/wildcards.ts";
import { type Id, lookupKey } from "../../ids.ts";
import { positionOf, type StoredRecord } from "../../stored-record.ts";
import { JoinedTexts, MAX_JOINED } from "./joined-texts.ts";

/** A single record without an array, so that a field of unique values costs none. */
type Postings = StoredRecord | StoredRecord[];

/** Shorter lists are joined as fast as a stored text is found. */
const MIN_JOINED = 32;

/** Records by the values at a path, each list in the order of the collection. Exact for values of every type. */
export class EqualityIndex {
  readonly #path: Path;
  /** Finds the only record with a value, where that is its id: then nothing is stored here. */
  readonly #find: ((key: Id) => StoredRecord | undefined) | undefined;
  readonly #postings = new Map<Id, Postings>();
  /** The joined JSON texts of whole lists: their records are scattered in memory, so visiting them is slow. */
  readonly #joined = new Map<Id, string>();
  /** The same for readers of single texts. */
  readonly #texts = new Map<Id, JoinedTexts>();
  /** The characters of both. */
  #joinedLength = 0;
  /** Whether every text that was joined is ASCII. */
  hasAsciiTexts = true;

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

  /** The JSON texts of these records, separated by commas; undefined if they are too few to store them joined. */
  joined(text: string): string | undefined {
    const key = lookupKey(text);
    const known = this.#joined.get(key);
    if (known !== undefined) return known;
    const postings = this.#postings.get(key);
    if (!Array.isArray(postings) || postings.length < MIN_JOINED) return undefined;
    const joined = postings.map((record) => record.text).join(",");
    this.#makeRoom(joined.length);
    this.#joined.set(key, joined);
    this.hasAsciiTexts &&= isAscii(joined);
    this.#joinedLength += joined.length;
    return joined;
  }

  /** Appends the JSON text and the slot of each of these records. */
  collectTexts(value: string, texts: string[], slots: number[]): void {
    const key = lookupKey(value);
    const postings = this.#postingsOf(key);
    if (postings === undefined) return;
    if (!Array.isArray(postings)) {
      texts.push(postings.text);
      slots.push(postings.slot);
      this.hasAsciiTexts &&= isAscii(postings.text);
      return;
    }
    const known = this.#texts.get(key);
    const joined = known ?? new JoinedTexts();
    joined.collect(postings, 0, postings.length, texts, slots);
    if (known) return;
    this.#makeRoom(joined.length);
    this.#texts.set(key, joined);
    this.hasAsciiTexts &&= joined.isAscii;
    this.#joinedLength += joined.length;
  }

  #makeRoom(length: number): void {
    if (this.#joinedLength + length <= MAX_JOINED) return;
    this.#joined.clear();
    this.#texts.clear();
    this.#joinedLength = 0;
  }

  insert(record: StoredRecord): void {
    for (const key of this.#keysOf(record)) {
      this.#forgetJoined(key);
      const postings = this.#postings.get(key);
      if (postings === undefined) this.#postings.set(key, record);
      else if (Array.isArray(postings)) insertBySlot(postings, record);
      else this.#postings.set(key, postings.slot < record.slot ? [postings, record] : [record, postings]);
    }
  }

  remove(record: StoredRecord): void {
    for (const key of this.#keysOf(record)) {
      this.#forgetJoined(key);
      const postings = this.#postings.get(key);
      if (!Array.isArray(postings) || postings.length === 1) this.#postings.delete(key);
      else postings.splice(positionOf(postings, record.slot), 1);
    }
  }

  #forgetJoined(key: Id): void {
    // Hot path: an index that is being built has none, and of many keys that one change concerns, few have any.
    const joined = this.#joined.size > 0 ? this.#joined.get(key) : undefined;
    if (joined !== undefined) {
      this.#joinedLength -= joined.length;
      this.#joined.delete(key);
    }
    const texts = this.#texts.size > 0 ? this.#texts.get(key) : undefined;
    if (texts) {
      this.#joinedLength -= texts.length;
      this.#texts.delete(key);
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
