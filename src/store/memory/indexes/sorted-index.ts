import type { Json } from "../../../base/json/json.ts";
import { STEP, type Work } from "../../../base/slices.ts";
import { compareValues } from "../../../query/order.ts";
import { placeBehind, type StoredRecord } from "../../stored-record.ts";
import { sortedPositions } from "./sorted-positions.ts";

/** The most entries of a chunk, and so the most that an insert moves, however large the collection. */
const MAX_CHUNK = 1024;

/** The entries to compare before a binary search. */
const NEAR = 4;

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
    for (let from = 0; from < records.length; from += STEP) {
      index.#gather(records.slice(from, from + STEP), values, owners);
      yield;
    }
    const order = yield* sortedPositions(values);
    index.#size = order.length;
    const half = MAX_CHUNK / 2;
    for (let from = 0; from < order.length; from += half) {
      index.#chunks.push(chunkOf(order.subarray(from, from + half), values, owners));
      yield;
    }
    return index;
  }

  /** A loop of its own: inside a generator, the engine would compile it late. */
  #gather(records: readonly StoredRecord[], values: (Json | undefined)[], owners: StoredRecord[]): void {
    for (const record of records) {
      const found = this.#valuesOf(record);
      for (const value of found) {
        values.push(value);
        owners.push(record);
      }
      this.#extra += this.#extraOf(record, found);
    }
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
      numbers: this.rank("", false),
      texts: this.rank(false, false),
      falses: this.rank(false, true),
      booleans: this.rank(true, true),
    };
    return this.#kinds;
  }

  /** The number of entries below a value, or up to it. */
  rank(value: Json | undefined, isUpTo: boolean): number {
    return this.#entriesBefore(value, isUpTo ? Number.POSITIVE_INFINITY : 0);
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
      const last = this.#size - 1 - at;
      const value = this.#valueAt(last);
      const low = this.#firstOf(value, last);
      // Only the first group may begin before `from`.
      const high = at === from ? this.rank(value, true) : last + 1;
      // This group of equal values has the positions from size - high up to size - low.
      const offset = at - (this.#size - high);
      const taken = Math.min(high - low - offset, to - at);
      this.collect(low + offset, low + offset + taken, found);
      at += taken;
    }
    return found;
  }

  /** The first position with the same value as this one, which is usually near. */
  #firstOf(value: Json | undefined, position: number): number {
    for (let at = position; at > position - NEAR; at--) {
      if (at === 0 || compareValues(this.#valueAt(at - 1), value) !== 0) return at;
    }
    return this.rank(value, false);
  }

  /** The positions of all entries with the same value as the one at this position, counted as the sort does. */
  equalTo(position: number, descending: boolean): { readonly from: number; readonly to: number } {
    const value = this.#valueAt(descending ? this.#size - 1 - position : position);
    const low = this.rank(value, false);
    const high = this.rank(value, true);
    return descending ? { from: this.#size - high, to: this.#size - low } : { from: low, to: high };
  }

  /**
   * The position behind an entry, whether or not the index still has it: that of the first one after it. Descending, as
   * `sliceDescending` counts.
   */
  positionAfter(value: Json | undefined, slot: number, descending: boolean): number {
    const place = this.#entriesBefore(value, placeBehind(slot));
    if (!descending) return place;
    return this.#size - this.rank(value, true) + (place - this.rank(value, false));
  }

  /** The number of entries before the place of a value and slot, whether or not there is such an entry. */
  #entriesBefore(value: Json | undefined, slot: number): number {
    const index = this.#chunkFor(value, slot);
    const chunk = this.#chunks[index];
    return chunk ? this.#startOf(index) + placeIn(chunk, value, slot) : this.#size;
  }

  #valueAt(position: number): Json | undefined {
    const index = this.#chunkAt(position);
    return this.#chunks[index]?.values[position - this.#startOf(index)];
  }

  /** The chunk that holds a position. */
  #chunkAt(position: number): number {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#startOf(middle + 1) <= position) low = middle + 1;
      else high = middle;
    }
    return low;
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
    const index = Math.min(this.#chunkFor(value, record.slot), this.#chunks.length - 1);
    const chunk = this.#chunks[index];
    this.#forgetPositions();
    this.#size++;
    if (!chunk) {
      this.#chunks.push({ values: [value], records: [record] });
      return;
    }
    const at = placeIn(chunk, value, record.slot);
    chunk.values.splice(at, 0, value);
    chunk.records.splice(at, 0, record);
    if (chunk.values.length <= MAX_CHUNK) return;
    const half = MAX_CHUNK / 2;
    const values = chunk.values.splice(half);
    const records = chunk.records.splice(half);
    this.#chunks.splice(index + 1, 0, { values, records });
  }

  #removeEntry(value: Json | undefined, record: StoredRecord): void {
    const index = this.#chunkFor(value, record.slot);
    const chunk = this.#chunks[index];
    if (!chunk) return;
    const at = placeIn(chunk, value, record.slot);
    if (chunk.records[at] !== record) return;
    this.#forgetPositions();
    this.#size--;
    chunk.values.splice(at, 1);
    chunk.records.splice(at, 1);
    if (chunk.values.length === 0) this.#chunks.splice(index, 1);
  }

  /** An array has an entry for its joined text; if it is empty or has only nulls, that is the only one. */
  #extraOf(record: StoredRecord, values: readonly (Json | undefined)[]): number {
    // A joined text is a text: records with a number, the most common ones, need no second look.
    if (values.length === 1 && typeof values[0] === "string" && this.#isArray(record)) return 1;
    return Math.max(0, values.length - 1);
  }

  #forgetPositions(): void {
    this.#starts = undefined;
    this.#kinds = undefined;
  }

  /** The first chunk whose last entry is not before the place of a value and slot. */
  #chunkFor(value: Json | undefined, slot: number): number {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const chunk = this.#chunks[middle]!;
      if (isBefore(chunk, chunk.values.length - 1, value, slot)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The entries at these positions. A loop of its own, as above. */
function chunkOf(
  positions: Uint32Array,
  values: readonly (Json | undefined)[],
  owners: readonly StoredRecord[],
): Chunk {
  const own: (Json | undefined)[] = [];
  const records: StoredRecord[] = [];
  for (let at = 0; at < positions.length; at++) {
    const position = positions[at]!;
    own.push(values[position]);
    records.push(owners[position]!);
  }
  // Copies have no room for more entries.
  return { values: own.slice(), records: records.slice() };
}

/** The number of entries of a chunk before the place of a value and slot. */
function placeIn(chunk: Chunk, value: Json | undefined, slot: number): number {
  let low = 0;
  let high = chunk.values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(chunk, middle, value, slot)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Inner loop of every search: positional parameters and no closures, so that it allocates nothing. */
function isBefore({ values, records }: Chunk, at: number, value: Json | undefined, slot: number): boolean {
  const difference = compareValues(values[at], value);
  return difference < 0 || (difference === 0 && records[at]!.slot < slot);
}
