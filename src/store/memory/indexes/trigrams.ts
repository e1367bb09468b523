import type { Work } from "../../../base/slices.ts";
import { SEPARATOR, type TextBlocks } from "./text-blocks.ts";

/** The letters of a trigram: ASCII in lower case, and one for all other characters. */
const LETTER_BITS = 7;
const ALPHABET = 1 << LETTER_BITS;
const OTHER = ALPHABET - 1;
const TRIGRAMS = ALPHABET ** 3;
/** The letters of ASCII characters. */
const LETTERS = Uint8Array.from({ length: ALPHABET }, (_, code) => letter(code));
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

/** The blocks of texts that contain each trigram: a text of three letters or more is searched only in these. */
export class Trigrams {
  /** The blocks of bucket b are the postings from starts[b] up to starts[b + 1]. */
  readonly #starts: Uint32Array;
  readonly #postings: Uint32Array;

  private constructor(starts: Uint32Array, postings: Uint32Array) {
    this.#starts = starts;
    this.#postings = postings;
  }

  static *build(blocks: TextBlocks): Work<Trigrams> {
    const count = bucketCount(blocks.size);
    const starts = new Uint32Array(count + 1);
    const seenBy = new Uint32Array(count);
    const bucketsByBlock: Uint32Array[] = [];
    let free = new Uint32Array(0);
    for (let block = 0; block < blocks.size; block++) {
      const text = blocks.block(block);
      // One array for the buckets of many blocks: creating one for each would take longer than filling it.
      if (free.length < text.length) free = new Uint32Array(Math.max(ROOM, text.length));
      const length = addDistinctBuckets(text, block + 1, seenBy, free);
      const buckets = free.subarray(0, length);
      free = free.subarray(length);
      addOneTo(starts, buckets);
      bucketsByBlock.push(buckets);
      if (block % BLOCK_STEP === 0) yield;
    }
    addUp(starts);
    const postings = new Uint32Array(starts.at(-1) ?? 0);
    const next = starts.slice(0, count);
    for (let block = 0; block < blocks.size; block++) {
      post(block, bucketsByBlock[block]!, postings, next);
      if (block % BLOCK_STEP === 0) yield;
    }
    return new Trigrams(starts, postings);
  }

  /** The blocks that may contain all of these texts; undefined when that cannot be told. */
  blocksWith(texts: readonly string[]): Uint32Array | undefined {
    const [first, ...more] = this.#bucketsFor(texts);
    return first === undefined
      ? undefined
      : more.reduce((blocks, bucket) => intersect(blocks, this.#blocksOf(bucket)), this.#blocksOf(first));
  }

  #blocksOf(bucket: number): Uint32Array {
    return this.#postings.subarray(this.#starts[bucket], this.#starts[bucket + 1]);
  }

  /** The buckets of the trigrams that a block must have, rarest first. */
  #bucketsFor(texts: readonly string[]): number[] {
    const chosen = new Set<number>();
    for (const text of texts) {
      const buckets = bucketsOf(text, this.#starts.length - 1);
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
    return this.#blocksOf(bucket).length;
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
  let trigram = 0;
  let letters = 0;
  // Hot loop: a call for each trigram would take longer than all else.
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === SEPARATOR_CODE) {
      letters = 0;
      continue;
    }
    trigram = ((trigram << LETTER_BITS) | (code < ALPHABET ? LETTERS[code]! : letter(code))) & (TRIGRAMS - 1);
    if (++letters < 3) continue;
    const bucket = bucketOf(trigram, count);
    if (seenBy[bucket] === mark) continue;
    seenBy[bucket] = mark;
    target[length++] = bucket;
  }
  return length;
}

// Loops of their own: inside a generator, the engine would compile them late.

function addOneTo(counts: Uint32Array, buckets: Uint32Array): void {
  for (let at = 0; at < buckets.length; at++) counts[buckets[at]! + 1]!++;
}

function addUp(counts: Uint32Array): void {
  let sum = 0;
  for (let at = 0; at < counts.length; at++) {
    sum += counts[at] ?? 0;
    counts[at] = sum;
  }
}

function post(block: number, buckets: Uint32Array, postings: Uint32Array, next: Uint32Array): void {
  for (let at = 0; at < buckets.length; at++) postings[next[buckets[at]!]!++] = block;
}

/** The common values of two ascending lists. */
function intersect(a: Uint32Array, b: Uint32Array): Uint32Array {
  const both = new Uint32Array(Math.min(a.length, b.length));
  let length = 0;
  let next = 0;
  for (const value of a) {
    while ((b[next] ?? value) < value) next++;
    if (b[next] === value) both[length++] = value;
  }
  return both.subarray(0, length);
}

/** The buckets of a text's trigrams, with repetitions; as in the index, there are none across a separator. */
function bucketsOf(text: string, count: number): number[] {
  const buckets: number[] = [];
  for (const part of text.split(SEPARATOR)) {
    let trigram = 0;
    for (let at = 0; at < part.length; at++) {
      trigram = ((trigram << LETTER_BITS) | letter(part.charCodeAt(at))) & (TRIGRAMS - 1);
      if (at >= 2) buckets.push(bucketOf(trigram, count));
    }
  }
  return buckets;
}

/** Folds case. Two letters outside ASCII fold to ASCII ones: the long s and the Kelvin sign. */
function letter(code: number): number {
  if (code >= 65 && code <= 90) return code + 32;
  if (code < OTHER) return code;
  if (code === 0x17f) return 0x73;
  return code === 0x212a ? 0x6b : OTHER;
}
