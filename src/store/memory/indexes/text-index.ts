import { inSlices, STEP, type Work } from "../../../slices.ts";
import { positionOf, type StoredRecord } from "../../stored-record.ts";

/** The letters of a trigram: ASCII in lower case, and one for all other characters. */
const ALPHABET = 128;
const OTHER = ALPHABET - 1;
const TRIGRAMS = ALPHABET ** 3;
/** With few records, trigrams share buckets, so that the table stays small. */
const BUCKETS_PER_RECORD = 8;
const MIN_BUCKETS = 1024;
/** Changed records are tested one by one; when they exceed this share, the index is rebuilt. */
const MAX_CHANGED_SHARE = 0.05;
const MIN_CHANGED = 1000;
/**
 * A candidate must have the rarest trigram of each of this many parts of a text. Trigrams of one word often occur together,
 * so a second one from the same part would exclude few records.
 */
const STRETCHES = 4;

/**
 * The records that contain each trigram: a text of three letters or more is searched only in the records of its rarest
 * trigrams. Built in the background over the records of one moment; later changes are kept apart until a rebuild is worth
 * it. Returns candidates: some of them may not match.
 */
export class TextIndex {
  readonly #textsOf: (record: StoredRecord) => readonly string[];
  #base: readonly StoredRecord[] = [];
  /** The postings of bucket b are those from starts[b] up to starts[b + 1]. */
  #starts: Uint32Array | undefined;
  #postings = new Uint32Array(0);
  /** The changes since then: the current record of each changed slot, undefined where it was removed. */
  #changed = new Map<number, StoredRecord | undefined>();
  /** The changes since the build in progress began, if there is one. */
  #changedSinceBuild: Map<number, StoredRecord | undefined> | undefined;

  constructor(textsOf: (record: StoredRecord) => readonly string[]) {
    this.#textsOf = textsOf;
  }

  get isReady(): boolean {
    return this.#starts !== undefined;
  }

  /** The size of the index without the records. */
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

  /** Starts a build if there is no index yet, or too much has changed. `lend` returns the current records. */
  refresh(lend: () => readonly StoredRecord[]): void {
    const isStale = this.#changed.size > Math.max(MIN_CHANGED, this.#base.length * MAX_CHANGED_SHARE);
    if (this.#changedSinceBuild || (this.isReady && !isStale)) return;
    this.#changedSinceBuild = new Map();
    void inSlices(this.#build(lend()));
  }

  /** The most records that must be tested to find these texts; Infinity when the index cannot help. */
  estimate(texts: readonly string[]): number {
    const [rarest] = this.#bucketsOf(texts);
    return rarest === undefined ? Number.POSITIVE_INFINITY : this.#countOf(rarest) + this.#changed.size;
  }

  /** Every record that may contain all of these texts, in the order of the collection. */
  candidates(texts: readonly string[]): StoredRecord[] {
    const found: StoredRecord[] = [];
    for (const position of this.#positionsOf(this.#bucketsOf(texts))) {
      const record = this.#base[position]!;
      if (this.#changed.size === 0 || !this.#changed.has(record.slot)) found.push(record);
    }
    for (const record of this.#changed.values()) {
      if (record) found.splice(positionOf(found, record.slot), 0, record);
    }
    return found;
  }

  #positionsOf(buckets: readonly number[]): Uint32Array {
    const starts = this.#starts as Uint32Array;
    const [first, ...more] = buckets.map((bucket) => this.#postings.subarray(starts[bucket]!, starts[bucket + 1]!));
    return more.reduce(intersect, first ?? new Uint32Array(0));
  }

  /** The buckets of the trigrams that a candidate must have, rarest first. */
  #bucketsOf(texts: readonly string[]): number[] {
    if (!this.#starts) return [];
    const count = this.#starts.length - 1;
    const chosen = new Set<number>();
    for (const text of texts) {
      const buckets: number[] = [];
      forEachTrigram(text, (trigram) => buckets.push(bucketOf(trigram, count)));
      const size = Math.ceil(buckets.length / STRETCHES);
      for (let from = 0; from < buckets.length; from += size) {
        const stretch = buckets.slice(from, from + size);
        chosen.add(
          stretch.reduce((rarest, bucket) => (this.#countOf(bucket) < this.#countOf(rarest) ? bucket : rarest)),
        );
      }
    }
    return [...chosen].sort((a, b) => this.#countOf(a) - this.#countOf(b));
  }

  #countOf(bucket: number): number {
    const starts = this.#starts as Uint32Array;
    return starts[bucket + 1]! - starts[bucket]!;
  }

  *#build(records: readonly StoredRecord[]): Work<void> {
    const count = bucketCount(records.length);
    const starts = new Uint32Array(count + 1);
    const seenBy = new Uint32Array(count);
    for (let position = 0; position < records.length; position++) {
      this.#forEachNew(records[position]!, position + 1, seenBy, (bucket) => starts[bucket + 1]!++);
      if (position % STEP === 0) yield;
    }
    for (let bucket = 0; bucket < count; bucket++) starts[bucket + 1]! += starts[bucket]!;
    const postings = new Uint32Array(starts[count]!);
    const next = starts.slice(0, count);
    seenBy.fill(0);
    for (let position = 0; position < records.length; position++) {
      this.#forEachNew(records[position]!, position + 1, seenBy, (bucket) => {
        postings[next[bucket]!++] = position;
      });
      if (position % STEP === 0) yield;
    }
    this.#base = records;
    this.#starts = starts;
    this.#postings = postings;
    this.#changed = this.#changedSinceBuild ?? new Map();
    this.#changedSinceBuild = undefined;
  }

  /** Visits each bucket of a record's trigrams once. */
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

/** The number of buckets: a power of two, so that a bucket is a few bits of the hash. */
function bucketCount(records: number): number {
  return Math.min(TRIGRAMS, 2 ** Math.ceil(Math.log2(Math.max(MIN_BUCKETS, records * BUCKETS_PER_RECORD))));
}

/** The bucket of a trigram: its own if there are enough, otherwise by hash. */
function bucketOf(trigram: number, count: number): number {
  return count === TRIGRAMS ? trigram : (Math.imul(trigram, 0x9e3779b1) >>> 11) & (count - 1);
}

/** The common values of two ascending lists. */
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

/** Folds case. Two letters outside ASCII fold to ASCII ones: the long s and the Kelvin sign. */
function letter(code: number): number {
  if (code >= 65 && code <= 90) return code + 32;
  if (code < OTHER) return code;
  if (code === 0x17f) return 0x73;
  return code === 0x212a ? 0x6b : OTHER;
}
