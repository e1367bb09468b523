import type { Json } from "../../base/json/json.ts";
import { atOnce, inSlices, MAX_AT_ONCE, STEP, type Work } from "../../base/slices.ts";
import { recordAt, StoredRecord } from "../stored-record.ts";

/**
 * The records of a collection, sorted by slot. A loaded value becomes a record when it is first asked for: creating a
 * million objects takes longer than everything else a start does beside parsing.
 */
export class RecordList {
  /** Loaded values stand at their slots until they become records. */
  #entries: (StoredRecord | Json)[];
  readonly #version: number;
  /** The number of loaded values, and of those from the first on that are records. None is inserted or removed before all are. */
  #loaded: number;
  #created = 0;
  #creating: Promise<void> | undefined;

  private constructor(entries: (StoredRecord | Json)[], loaded: number, version: number) {
    this.#entries = entries;
    this.#loaded = loaded;
    this.#version = version;
  }

  /** Takes over values whose records have this version. */
  static load(values: readonly Json[], version: number): RecordList {
    return new RecordList(values.slice(), values.length, version);
  }

  static of(records: StoredRecord[]): RecordList {
    return new RecordList(records, 0, 0);
  }

  get length(): number {
    return this.#entries.length;
  }

  /** All records; those that are left are created now. */
  get all(): StoredRecord[] {
    if (this.#created < this.#loaded) atOnce(this.#createRest());
    return this.#entries as StoredRecord[];
  }

  set all(records: StoredRecord[]) {
    this.#entries = records;
    this.#loaded = 0;
    this.#created = 0;
  }

  /** Whether reading `all` takes no time worth mentioning. */
  get isCreated(): boolean {
    return this.#loaded - this.#created <= MAX_AT_ONCE;
  }

  /** Creates all records, with pauses. */
  create(): Promise<void> {
    this.#creating ??= inSlices(this.#createRest());
    return this.#creating;
  }

  /** The record with this slot. */
  withSlot(slot: number): StoredRecord | undefined {
    return this.#created < this.#loaded ? this.at(slot) : recordAt(this.#entries as StoredRecord[], slot);
  }

  at(position: number): StoredRecord | undefined {
    return position < this.#entries.length ? this.#recordAt(position) : undefined;
  }

  /** The slot of the record at a position, without creating it. */
  slotAt(position: number): number {
    const entry = this.#entries[position] as StoredRecord | Json;
    return entry instanceof StoredRecord ? entry.slot : position;
  }

  slice(from: number, to: number): StoredRecord[] {
    if (this.#created < this.#loaded) for (let at = from; at < Math.min(to, this.#loaded); at++) this.#recordAt(at);
    return this.#entries.slice(from, to) as StoredRecord[];
  }

  #recordAt(position: number): StoredRecord {
    const entry = this.#entries[position] as StoredRecord | Json;
    if (entry instanceof StoredRecord) return entry;
    const record = new StoredRecord(entry, this.#version, position);
    this.#entries[position] = record;
    return record;
  }

  *#createRest(): Work<void> {
    // Reading `all` may finish it during a pause.
    while (this.#created < this.#loaded) {
      const end = Math.min(this.#created + STEP, this.#loaded);
      for (let at = this.#created; at < end; at++) this.#recordAt(at);
      this.#created = end;
      yield;
    }
  }
}
