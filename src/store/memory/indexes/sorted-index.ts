import type { Json } from "../../../json.ts";
import { compareValues } from "../../../query/order.ts";
import { STEP, type Work } from "../../../slices.ts";
import type { StoredRecord } from "../../stored-record.ts";
import { sortedPositions } from "./sorted-positions.ts";

/** The most entries of a chunk, and so the most that an insert moves, however large the collection. */
const MAX_CHUNK = 1024;

/** Values and their records, side by side. */
interface Chunk {
  readonly values: (Json | undefined)[];
  readonly records: StoredRecord[];
}

type ValuesOf = (record: StoredRecord) => readonly (Json | undefined)[];

/** The positions after the last entry of each kind. */
interface KindBounds {
  readonly numbers: number;
  readonly texts: number;
  readonly falses: number;
  readonly booleans: number;
}

/**
 * Records sorted by value, equal ones in the order of the collection, in a list of short chunks, so that an insert moves a
 * chunk and not the collection. A record has one entry per value.
 */
export class SortedIndex {
  readonly #valuesOf: ValuesOf;
  readonly #isArray: (record: StoredRecord) => boolean;
  readonly #chunks: Chunk[] = [];
  #starts: number[] | undefined;
  #kinds: KindBounds | undefined;
  #size = 0;
  /** The number of entries beyond each record's first, and of those that stand for an empty array. */
  #extra = 0;

  constructor(valuesOf: ValuesOf, isArray: (record: StoredRecord) => boolean = () => false) {
    this.#valuesOf = valuesOf;
    this.#isArray = isArray;
  }

  static *build(
    records: readonly StoredRecord[],
    valuesOf: ValuesOf,
    isArray?: (record: StoredRecord) => boolean,
  ): Work<SortedIndex> {
    const index = new SortedIndex(valuesOf, isArray);
    const values: (Json | undefined)[] = [];
    const owners: StoredRecord[] = [];
    for (let at = 0; at < records.length; at++) {
      const record = records[at]!;
      const found = valuesOf(record);
      for (const value of found) {
        values.push(value);
        owners.push(record);
      }
      index.#extra += index.#extraOf(record, found);
      if (at % STEP === 0) yield;
    }
    const order = yield* sortedPositions(values);
    index.#size = order.length;
    const half = MAX_CHUNK / 2;
    for (let from = 0; from < order.length; from += half) {
      const part = Array.from(order.subarray(from, from + half));
      index.#chunks.push({ values: part.map((at) => values[at]), records: part.map((at) => owners[at]!) });
      yield;
    }
    return index;
  }

  get size(): number {
    return this.#size;
  }

  /** Whether every record has at most one entry, and that for a value of its own, so that counting entries counts records. */
  get isSingle(): boolean {
    return this.#extra === 0;
  }

  insert(record: StoredRecord): void {
    const values = this.#valuesOf(record);
    for (const value of values) this.#insertEntry(value, record);
    this.#extra += this.#extraOf(record, values);
  }

  remove(record: StoredRecord): void {
    const values = this.#valuesOf(record);
    for (const value of values) this.#removeEntry(value, record);
    this.#extra -= this.#extraOf(record, values);
  }

  /** The ends of the kinds: numbers come first, then texts, then booleans. Computed once after a write. */
  get kinds(): KindBounds {
    this.#kinds ??= {
      numbers: this.rank((value) => typeof value === "number"),
      texts: this.rank((value) => typeof value === "number" || typeof value === "string"),
      falses: this.rank((value) => typeof value === "number" || typeof value === "string" || value === false),
      booleans: this.rank((value) => ["number", "string", "boolean"].includes(typeof value)),
    };
    return this.#kinds;
  }

  /** The number of leading entries for which `isBefore` holds; it must hold for none after those. */
  rank(isBefore: (value: Json | undefined) => boolean): number {
    const index = search(this.#chunks.length, (at) => isBefore(this.#chunks[at]!.values.at(-1)));
    const chunk = this.#chunks[index];
    if (!chunk) return this.#size;
    return this.#startOf(index) + search(chunk.values.length, (at) => isBefore(chunk.values[at]));
  }

  /** The entries at positions from `from` up to, not including, `to`. */
  slice(from: number, to: number): StoredRecord[] {
    const found: StoredRecord[] = [];
    this.collect(from, to, found);
    return found;
  }

  /** Appends these entries to `found`. */
  collect(from: number, to: number, found: StoredRecord[]): void {
    if (from >= to) return;
    for (let index = this.#chunkAt(from); index < this.#chunks.length; index++) {
      const { records } = this.#chunks[index]!;
      const start = this.#startOf(index);
      if (start >= to) break;
      const end = Math.min(to - start, records.length);
      for (let at = Math.max(from - start, 0); at < end; at++) found.push(records[at]!);
    }
  }

  /** The entries as a descending sort orders them: by falling value, equal ones in the collection's order. */
  sliceDescending(from: number, to: number): StoredRecord[] {
    const found: StoredRecord[] = [];
    for (let at = from; at < Math.min(to, this.#size); ) {
      const value = this.#valueAt(this.#size - 1 - at);
      const low = this.rank((other) => compareValues(other, value) < 0);
      const high = this.rank((other) => compareValues(other, value) <= 0);
      // This group of equal values has the positions from size - high up to size - low.
      const offset = at - (this.#size - high);
      const taken = Math.min(high - low - offset, to - at);
      this.collect(low + offset, low + offset + taken, found);
      at += taken;
    }
    return found;
  }

  /**
   * The position behind an entry, whether or not the index still has it: that of the first one after it. Descending, as
   * `sliceDescending` counts.
   */
  positionAfter(value: Json | undefined, slot: number, descending: boolean): number {
    const place = this.#rankOf(value, slot);
    if (!descending) return place;
    const low = this.rank((other) => compareValues(other, value) < 0);
    const high = this.rank((other) => compareValues(other, value) <= 0);
    return this.#size - high + (place - low);
  }

  /** The number of entries up to and including this one. */
  #rankOf(value: Json | undefined, slot: number): number {
    const isUpTo = (other: Json | undefined, record: StoredRecord): boolean => {
      const difference = compareValues(other, value);
      return difference < 0 || (difference === 0 && record.slot <= slot);
    };
    const index = search(this.#chunks.length, (at) => {
      const { values, records } = this.#chunks[at]!;
      return isUpTo(values.at(-1), records.at(-1)!);
    });
    const chunk = this.#chunks[index];
    if (!chunk) return this.#size;
    return this.#startOf(index) + search(chunk.values.length, (at) => isUpTo(chunk.values[at], chunk.records[at]!));
  }

  #valueAt(position: number): Json | undefined {
    const index = this.#chunkAt(position);
    return this.#chunks[index]?.values[position - this.#startOf(index)];
  }

  /** The chunk that holds a position. */
  #chunkAt(position: number): number {
    return search(this.#chunks.length, (at) => this.#startOf(at) + this.#chunks[at]!.values.length <= position);
  }

  /** The position of a chunk's first entry; computed once after a write. */
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
    this.#forgetPositions();
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
    this.#forgetPositions();
    this.#size--;
    chunk.values.splice(at, 1);
    chunk.records.splice(at, 1);
    if (chunk.values.length === 0) this.#chunks.splice(index, 1);
  }

  /** An array has an entry for its joined text; if it is empty or has only nulls, that is the only one. */
  #extraOf(record: StoredRecord, values: readonly (Json | undefined)[]): number {
    if (values.length === 1 && this.#isArray(record)) return 1;
    return Math.max(0, values.length - 1);
  }

  #forgetPositions(): void {
    this.#starts = undefined;
    this.#kinds = undefined;
  }

  /** The first chunk whose last entry is not before the given one; the last chunk if there is none. */
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

/** Inner loop of every search: positional parameters, so that it allocates nothing. */
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
