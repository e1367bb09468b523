import { setImmediate as nextTurn } from "node:timers/promises";
import type { StoredRecord } from "../../stored-record.ts";
import { positionOf } from "../slots.ts";

/** Letters of a trigram: ASCII in lower case, and one place for every other character. */
const ALPHABET = 128;
const OTHER = ALPHABET - 1;
const TRIGRAMS = ALPHABET ** 3;
/** Trigrams share buckets where records are few: the table must not outgrow what it is a table of. */
const BUCKETS_PER_RECORD = 8;
const MIN_BUCKETS = 1024;
/** How long building may hold the event loop before others get their turn. */
const SLICE_MS = 10;
/** Changed records are looked at one by one; when they are more than this share, the index is built anew. */
const MAX_CHANGED_SHARE = 0.05;
const MIN_CHANGED = 1000;
/** How many of a text's trigrams a candidate must have. */
const INTERSECTED = 3;

/**
 * For each three letters in a row, the records that have them: a text of three letters or more is looked for in the records
 * of its rarest trigram only. Built in the background over the records of one moment; whatever changes afterwards is kept
 * apart until it is worth building anew. What it gives are candidates: some of them may not match.
 */
export class TextIndex {
  readonly #textsOf: (record: StoredRecord) => readonly string[];
  #base: readonly StoredRecord[] = [];
  /** The postings of bucket b are those from starts[b] up to starts[b + 1]. */
  #starts: Uint32Array | undefined;
  #postings = new Uint32Array(0);
  /** What happened since: the record that a slot holds now, undefined where it was removed. */
  #changed = new Map<number, StoredRecord | undefined>();
  /** While the next index is being built: what changed since it was begun. */
  #changedSinceBuild: Map<number, StoredRecord | undefined> | undefined;

  constructor(textsOf: (record: StoredRecord) => readonly string[]) {
    this.#textsOf = textsOf;
  }

  get isReady(): boolean {
    return this.#starts !== undefined;
  }

  /** Bytes that the index holds beyond the records themselves. */
  get bytes(): number {
    return (this.#starts?.byteLength ?? 0) + this.#postings.byteLength;
  }

  insert(record: StoredRecord): void {
    this.#note(record.slot, record);
  }

  remove(record: StoredRecord): void {
    this.#note(record.slot, undefined);
  }

  #note(slot: number, record: StoredRecord | undefined): void {
    this.#changed.set(slot, record);
    this.#changedSinceBuild?.set(slot, record);
  }

  /** Starts building when there is no index yet, or too much has changed since. `lend` gives the records of this moment. */
  refresh(lend: () => readonly StoredRecord[]): void {
    const isStale = this.#changed.size > Math.max(MIN_CHANGED, this.#base.length * MAX_CHANGED_SHARE);
    if (this.#changedSinceBuild || (this.isReady && !isStale)) return;
    this.#changedSinceBuild = new Map();
    void this.#build(lend());
  }

  /** How many records must be looked at, at most, to find this text; Infinity when the index cannot help. */
  estimate(text: string): number {
    const [rarest] = this.#bucketsOf(text);
    return rarest === undefined ? Number.POSITIVE_INFINITY : this.#countOf(rarest) + this.#changed.size;
  }

  /** Every record that may contain the text, in the order of the collection. */
  candidates(text: string): StoredRecord[] {
    const found: StoredRecord[] = [];
    for (const position of this.#positionsOf(this.#bucketsOf(text))) {
      const record = this.#base[position]!;
      if (this.#changed.size === 0 || !this.#changed.has(record.slot)) found.push(record);
    }
    for (const record of this.#changed.values()) {
      if (record) found.splice(positionOf(found, record.slot), 0, record);
    }
    return found;
  }

  /** The positions that have all of the rarest few trigrams; more of them would cost more than they sort out. */
  #positionsOf(buckets: readonly number[]): Uint32Array {
    const starts = this.#starts as Uint32Array;
    const [first, ...more] = buckets
      .slice(0, INTERSECTED)
      .map((bucket) => this.#postings.subarray(starts[bucket]!, starts[bucket + 1]!));
    return more.reduce(intersect, first ?? new Uint32Array(0));
  }

  /** The buckets of a text's trigrams, rarest first. */
  #bucketsOf(text: string): number[] {
    if (!this.#starts) return [];
    const count = this.#starts.length - 1;
    const buckets = new Set<number>();
    forEachTrigram(text, (trigram) => buckets.add(bucketOf(trigram, count)));
    return [...buckets].sort((a, b) => this.#countOf(a) - this.#countOf(b));
  }

  #countOf(bucket: number): number {
    const starts = this.#starts as Uint32Array;
    return starts[bucket + 1]! - starts[bucket]!;
  }

  async #build(records: readonly StoredRecord[]): Promise<void> {
    const count = bucketCount(records.length);
    const starts = new Uint32Array(count + 1);
    const seenBy = new Uint32Array(count);
    await this.#forEachRecord(records, (record, position) => {
      this.#forEachNew(record, position + 1, seenBy, (bucket) => starts[bucket + 1]!++);
    });
    for (let bucket = 0; bucket < count; bucket++) starts[bucket + 1]! += starts[bucket]!;
    const postings = new Uint32Array(starts[count]!);
    const next = starts.slice(0, count);
    seenBy.fill(0);
    await this.#forEachRecord(records, (record, position) => {
      this.#forEachNew(record, position + 1, seenBy, (bucket) => {
        postings[next[bucket]!++] = position;
      });
    });
    this.#base = records;
    this.#starts = starts;
    this.#postings = postings;
    this.#changed = this.#changedSinceBuild ?? new Map();
    this.#changedSinceBuild = undefined;
  }

  async #forEachRecord(records: readonly StoredRecord[], visit: (record: StoredRecord, position: number) => void) {
    let sliceEnd = performance.now() + SLICE_MS;
    for (let position = 0; position < records.length; position++) {
      visit(records[position]!, position);
      if (position % 64 !== 0 || performance.now() < sliceEnd) continue;
      await nextTurn();
      sliceEnd = performance.now() + SLICE_MS;
    }
  }

  /** Each bucket of a record's trigrams once, however often it occurs. */
  #forEachNew(record: StoredRecord, mark: number, seenBy: Uint32Array, visit: (bucket: number) => void): void {
    for (const text of this.#textsOf(record)) {
      forEachTrigram(text, (trigram) => {
        const bucket = bucketOf(trigram, seenBy.length);
        if (seenBy[bucket] === mark) return;
        seenBy[bucket] = mark;
        visit(bucket);
      });
    }
  }
}

/** A power of two, so that a bucket is a few bits of the trigram. */
function bucketCount(records: number): number {
  return Math.min(TRIGRAMS, 2 ** Math.ceil(Math.log2(Math.max(MIN_BUCKETS, records * BUCKETS_PER_RECORD))));
}

/** Every trigram its own where there are enough, else spread over what there is. */
function bucketOf(trigram: number, count: number): number {
  return count === TRIGRAMS ? trigram : (Math.imul(trigram, 0x9e3779b1) >>> 11) & (count - 1);
}

/** Both lists rise, so one walk over both will do. */
function intersect(a: Uint32Array, b: Uint32Array): Uint32Array {
  const both = new Uint32Array(Math.min(a.length, b.length));
  let length = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const difference = a[i]! - b[j]!;
    if (difference === 0) both[length++] = a[i]!;
    if (difference <= 0) i++;
    if (difference >= 0) j++;
  }
  return both.subarray(0, length);
}

function forEachTrigram(text: string, visit: (trigram: number) => void): void {
  if (text.length < 3) return;
  let trigram = letter(text.charCodeAt(0)) * ALPHABET + letter(text.charCodeAt(1));
  for (let at = 2; at < text.length; at++) {
    trigram = (trigram * ALPHABET + letter(text.charCodeAt(at))) % TRIGRAMS;
    visit(trigram);
  }
}

/** The two letters outside ASCII that count as ASCII ones when case does not: the long s and the Kelvin sign. */
function letter(code: number): number {
  if (code >= 65 && code <= 90) return code + 32;
  if (code < OTHER) return code;
  if (code === 0x17f) return 0x73;
  return code === 0x212a ? 0x6b : OTHER;
}
