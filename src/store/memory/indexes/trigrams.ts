import type { Work } from "../../../base/slices.ts";
import { common, type Numbers } from "./positions.ts";
import { SEPARATOR } from "./words.ts";

/** The letters of a trigram: ASCII, and one for all other characters. */
const LETTER_BITS = 7;
const OTHER = (1 << LETTER_BITS) - 1;
const TRIGRAMS = 1 << (3 * LETTER_BITS);
const SEPARATOR_CODE = SEPARATOR.charCodeAt(0);
/** Trigrams share buckets, so that the tables are small and stay in the processor's cache: few of all trigrams occur. */
const BUCKETS_PER_BLOCK = 8;
const MIN_BUCKETS = 1024;
const MAX_BUCKETS = 131_072;
/**
 * A block must have the rarest trigram of each of this many parts of a text. Trigrams of one word often occur together,
 * so a second one from the same part would exclude few blocks.
 */
const STRETCHES = 4;
/** The blocks to read between two possible pauses. */
const BLOCK_STEP = 16;
/** The buckets that are kept in one array while an index is built. */
const ROOM = 65_536;

/**
 * The blocks of words that contain each trigram: a text of three letters or more is searched only in these. A separator
 * counts twice, so that the first and the last letter of a word are in a trigram of their own.
 */
export class Trigrams {
  /** The blocks of bucket b are the postings from starts[b] up to starts[b + 1]. */
  readonly #starts: Uint32Array;
  readonly #postings: Numbers;

  private constructor(starts: Uint32Array, postings: Numbers) {
    this.#starts = starts;
    this.#postings = postings;
  }

  static *build(blocks: readonly string[]): Work<Trigrams> {
    const count = bucketCount(blocks.length);
    const starts = new Uint32Array(count + 1);
    const seenBy = new Uint32Array(count);
    const bucketsByBlock: Uint32Array[] = [];
    let free = new Uint32Array(0);
    for (const [block, text] of blocks.entries()) {
      const most = 2 * text.length;
      // One array for the buckets of many blocks: creating one for each would take longer than filling it.
      if (free.length < most) free = new Uint32Array(Math.max(ROOM, most));
      const length = addDistinctBuckets(text, block + 1, seenBy, free);
      const buckets = free.subarray(0, length);
      free = free.subarray(length);
      addOneTo(starts, buckets);
      bucketsByBlock.push(buckets);
      if (block % BLOCK_STEP === 0) yield;
    }
    addUp(starts);
    const size = starts.at(-1) ?? 0;
    const postings = blocks.length > 2 ** 16 ? new Uint32Array(size) : new Uint16Array(size);
    const next = starts.slice(0, count);
    for (const [block, buckets] of bucketsByBlock.entries()) {
      post(block, buckets, postings, next);
      if (block % BLOCK_STEP === 0) yield;
    }
    return new Trigrams(starts, postings);
  }

  /** The blocks that may contain the text; undefined when that cannot be told. */
  blocksWith(text: string): Numbers | undefined {
    const [first, ...more] = this.#bucketsFor(text);
    if (first === undefined) return undefined;
    return more.reduce<Numbers>((blocks, bucket) => common(blocks, this.#blocksOf(bucket)), this.#blocksOf(first));
  }

  #blocksOf(bucket: number): Numbers {
    return this.#postings.subarray(this.#starts[bucket], this.#starts[bucket + 1]);
  }

  /** The buckets of the trigrams that a block must have, rarest first. */
  #bucketsFor(text: string): number[] {
    const buckets = bucketsOf(text, this.#starts.length - 1);
    const size = Math.ceil(buckets.length / STRETCHES);
    const chosen: number[] = [];
    for (let from = 0; from < buckets.length; from += size) chosen.push(this.#rarest(buckets, from, from + size));
    return chosen.sort((a, b) => this.#countOf(a) - this.#countOf(b));
  }

  #rarest(buckets: readonly number[], from: number, to: number): number {
    const isRarer = (one: number, other: number): boolean => this.#countOf(one) < this.#countOf(other);
    return buckets.slice(from, to).reduce((rarest, bucket) => (isRarer(bucket, rarest) ? bucket : rarest));
  }

  #countOf(bucket: number): number {
    return (this.#starts[bucket + 1] ?? 0) - (this.#starts[bucket] ?? 0);
  }
}

/** The number of buckets: a power of two, so that a bucket is a few bits of the hash. */
function bucketCount(blocks: number): number {
  const wanted = Math.max(MIN_BUCKETS, blocks * BUCKETS_PER_BLOCK);
  return Math.min(MAX_BUCKETS, 2 ** Math.ceil(Math.log2(wanted)));
}

function bucketOf(trigram: number, count: number): number {
  return (Math.imul(trigram, 0x9e3779b1) >>> 11) & (count - 1);
}

/** Writes each bucket of the text's trigrams once, and returns their number; `mark` is another one for each text. */
function addDistinctBuckets(text: string, mark: number, seenBy: Uint32Array, target: Uint32Array): number {
  const count = seenBy.length;
  let length = 0;
  // Hot loop: a call for each trigram would take longer than all else. Before a word comes a separator, twice.
  for (let at = 0, trigram = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    for (let times = code === SEPARATOR_CODE ? 2 : 1; times > 0; times--) {
      trigram = ((trigram << LETTER_BITS) | (code < OTHER ? code : OTHER)) & (TRIGRAMS - 1);
      const bucket = bucketOf(trigram, count);
      if (seenBy[bucket] === mark) continue;
      seenBy[bucket] = mark;
      target[length++] = bucket;
    }
  }
  return length;
}

// Loops of their own: inside a generator, the engine would compile them late.

function addOneTo(counts: Uint32Array, buckets: Uint32Array): void {
  for (const bucket of buckets) counts[bucket + 1]!++;
}

/** Replaces counts by the sums of all up to each. */
export function addUp(counts: Uint32Array): void {
  let sum = 0;
  for (let at = 0; at < counts.length; at++) {
    sum += counts[at] ?? 0;
    counts[at] = sum;
  }
}

function post(block: number, buckets: Uint32Array, postings: Numbers, next: Uint32Array): void {
  for (const bucket of buckets) postings[next[bucket]!++] = block;
}

/** The buckets of a text's trigrams, with repetitions. */
function bucketsOf(text: string, count: number): number[] {
  const buckets: number[] = [];
  for (let at = 0, trigram = 0, letters = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    for (let times = code === SEPARATOR_CODE ? 2 : 1; times > 0; times--) {
      trigram = ((trigram << LETTER_BITS) | (code < OTHER ? code : OTHER)) & (TRIGRAMS - 1);
      if (++letters >= 3) buckets.push(bucketOf(trigram, count));
    }
  }
  return buckets;
}
