import type { Json } from "../../../json.ts";
import { compareValues } from "../../../query/order.ts";
import type { StoredRecord } from "../../stored-record.ts";

/** A chunk is split beyond this; an insert moves at most so many entries, however large the collection. */
const MAX_CHUNK = 1024;

/** Values and their records, side by side. */
interface Chunk {
  readonly values: (Json | undefined)[];
  readonly records: StoredRecord[];
}

/**
 * Records in the order of values, equal ones in the order of the collection. Kept as a list of short chunks, so that an
 * insert moves a chunk and not the collection. A record stands once for each of its values.
 */
export class SortedIndex {
  readonly #valuesOf: (record: StoredRecord) => readonly (Json | undefined)[];
  readonly #chunks: Chunk[] = [];
  #starts: number[] | undefined;
  #size = 0;
  /** How many entries records have beyond their first. */
  #extra = 0;

  constructor(records: readonly StoredRecord[], valuesOf: (record: StoredRecord) => readonly (Json | undefined)[]) {
    this.#valuesOf = valuesOf;
    const entries: { value: Json | undefined; record: StoredRecord }[] = [];
    for (const record of records) {
      const values = valuesOf(record);
      for (const value of values) entries.push({ value, record });
      this.#extra += Math.max(0, values.length - 1);
    }
    entries.sort((a, b) => compareValues(a.value, b.value) || a.record.slot - b.record.slot);
    this.#size = entries.length;
    const half = MAX_CHUNK / 2;
    for (let from = 0; from < entries.length; from += half) {
      const part = entries.slice(from, from + half);
      this.#chunks.push({ values: part.map(({ value }) => value), records: part.map(({ record }) => record) });
    }
  }

  get size(): number {
    return this.#size;
  }

  /** Whether every record stands at most once, so that entries can be counted for records. */
  get isSingle(): boolean {
    return this.#extra === 0;
  }

  insert(record: StoredRecord): void {
    const values = this.#valuesOf(record);
    for (const value of values) this.#insertEntry(value, record);
    this.#extra += Math.max(0, values.length - 1);
  }

  remove(record: StoredRecord): void {
    const values = this.#valuesOf(record);
    for (const value of values) this.#removeEntry(value, record);
    this.#extra -= Math.max(0, values.length - 1);
  }

  /** How many entries come first for which `isBefore` holds; it must hold for a run from the start, and not after. */
  rank(isBefore: (value: Json | undefined) => boolean): number {
    const index = search(this.#chunks.length, (at) => isBefore(this.#chunks[at]!.values.at(-1)));
    const chunk = this.#chunks[index];
    if (!chunk) return this.#size;
    return this.#startOf(index) + search(chunk.values.length, (at) => isBefore(chunk.values[at]));
  }

  /** The entries at positions from `from` up to, not including, `to`. */
  slice(from: number, to: number): StoredRecord[] {
    const found: StoredRecord[] = [];
    for (let index = this.#chunkAt(from); index < this.#chunks.length; index++) {
      const { records } = this.#chunks[index]!;
      const start = this.#startOf(index);
      if (start >= to) break;
      const end = Math.min(to - start, records.length);
      for (let at = Math.max(from - start, 0); at < end; at++) found.push(records[at]!);
    }
    return found;
  }

  /** The entries from the end, as a descending sort has them: values fall, equal ones stay in the collection's order. */
  sliceDescending(from: number, to: number): StoredRecord[] {
    const found: StoredRecord[] = [];
    for (let at = from; at < Math.min(to, this.#size); ) {
      const value = this.#valueAt(this.#size - 1 - at);
      const low = this.rank((other) => compareValues(other, value) < 0);
      const high = this.rank((other) => compareValues(other, value) <= 0);
      // This group of equal values takes the places from size - high up to size - low.
      const offset = at - (this.#size - high);
      const taken = Math.min(high - low - offset, to - at);
      for (const record of this.slice(low + offset, low + offset + taken)) found.push(record);
      at += taken;
    }
    return found;
  }

  #valueAt(position: number): Json | undefined {
    const index = this.#chunkAt(position);
    return this.#chunks[index]?.values[position - this.#startOf(index)];
  }

  /** The chunk that holds a position. */
  #chunkAt(position: number): number {
    return search(this.#chunks.length, (at) => this.#startOf(at) + this.#chunks[at]!.values.length <= position);
  }

  /** The position of a chunk's first entry: counted once after a write, for as many reads as come before the next. */
  #startOf(index: number): number {
    if (!this.#starts) {
      let start = 0;
      this.#starts = this.#chunks.map(({ values }) => {
        start += values.length;
        return start - values.length;
      });
    }
    return this.#starts[index] ?? this.#size;
  }

  #insertEntry(value: Json | undefined, record: StoredRecord): void {
    const [chunk, index] = this.#chunkFor(value, record);
    this.#starts = undefined;
    this.#size++;
    if (!chunk) {
      this.#chunks.push({ values: [value], records: [record] });
      return;
    }
    const at = this.#place(chunk, value, record);
    chunk.values.splice(at, 0, value);
    chunk.records.splice(at, 0, record);
    if (chunk.values.length <= MAX_CHUNK) return;
    const half = MAX_CHUNK / 2;
    this.#chunks.splice(index + 1, 0, { values: chunk.values.splice(half), records: chunk.records.splice(half) });
  }

  #removeEntry(value: Json | undefined, record: StoredRecord): void {
    const [chunk, index] = this.#chunkFor(value, record);
    if (!chunk) return;
    const at = this.#place(chunk, value, record);
    if (chunk.records[at] !== record) return;
    this.#starts = undefined;
    this.#size--;
    chunk.values.splice(at, 1);
    chunk.records.splice(at, 1);
    if (chunk.values.length === 0) this.#chunks.splice(index, 1);
  }

  /** The first chunk whose end is not before the entry; the last one when all are. */
  #chunkFor(value: Json | undefined, record: StoredRecord): [Chunk | undefined, number] {
    const isBefore = (at: number): boolean => {
      const { values, records } = this.#chunks[at]!;
      const last = values.length - 1;
      return compareEntries(values[last], records[last]!, value, record) < 0;
    };
    const index = Math.min(search(this.#chunks.length, isBefore), this.#chunks.length - 1);
    return [this.#chunks[index], index];
  }

  #place({ values, records }: Chunk, value: Json | undefined, record: StoredRecord): number {
    return search(values.length, (at) => compareEntries(values[at], records[at]!, value, record) < 0);
  }
}

function compareEntries(
  a: Json | undefined,
  aRecord: StoredRecord,
  b: Json | undefined,
  bRecord: StoredRecord,
): number {
  return compareValues(a, b) || aRecord.slot - bRecord.slot;
}

/** The first of `length` positions for which `isBefore` does not hold. */
function search(length: number, isBefore: (at: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
