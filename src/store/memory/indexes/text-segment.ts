import { STEP, type Work } from "../../../base/slices.ts";
import type { StoredRecord } from "../../stored-record.ts";
import { common, commonWithPostings, type Numbers, type Postings, unionOf, unionOfPostings } from "./positions.ts";
import { addUp } from "./trigrams.ts";
import { Vocabulary } from "./vocabulary.ts";
import { WordTable } from "./word-table.ts";

/** Testing so many records takes no longer than looking for another part of their texts. */
const FEW = 16;
/** The same for a part of so few characters that many words have it. */
const FEW_FOR_SHORT = 256;
const SHORT = 3;

/** The text of a record to search in. */
export interface Folded {
  /** In lower case; several texts are separated. */
  readonly text: string;
  /** Whether it tells as much as the record itself. */
  readonly isPlain: boolean;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The words of the texts of records; of each, the positions of the records that have it. */
interface Words extends Postings {
  readonly vocabulary: Vocabulary;
  readonly isPlain: Uint8Array | undefined;
}

/** The texts to look for in a segment. */
export interface WantedParts {
  /** Parts of words, separators being their ends: every match has all of one of these lists. */
  readonly ways: readonly (readonly string[])[];
  /** Whether the only way has two parts, and plain records that have them in two words are matches. */
  readonly isApart: boolean;
}

export interface Places {
  readonly positions: Numbers;
  /** Whether all have the parts of a way, and where that is asked for, in two words. */
  readonly areProven: boolean;
}

/** The records that have each word, for at most `SEGMENT_SIZE` records. */
export class TextSegment {
  /** It has those from `first` up to, not including, `first + size`. */
  readonly #records: readonly StoredRecord[];
  readonly #first: number;
  readonly size: number;
  readonly #words: Words;
  /** The positions of records that are no longer there, with the number of the change that removed each. */
  readonly #removed = new Map<number, number>();

  private constructor(records: readonly StoredRecord[], { from, to }: Range, words: Words) {
    this.#records = records;
    this.#first = from;
    this.size = to - from;
    this.#words = words;
  }

  /** `records` are sorted by slot, and must not change any more. */
  static *build(
    records: readonly StoredRecord[],
    fold: (record: StoredRecord) => Folded,
    range: Range = { from: 0, to: records.length },
  ): Work<TextSegment> {
    const table = new WordTable();
    const size = range.to - range.from;
    const isPlain = new Uint8Array(size);
    const ends = new Uint32Array(size);
    for (let from = 0; from < size; from += STEP) {
      const part = records.slice(range.from + from, Math.min(range.from + from + STEP, range.to));
      addTexts(table, part.map(fold), isPlain.subarray(from), ends.subarray(from));
      yield;
    }
    const starts = new Uint32Array(table.size + 1);
    starts.set(table.counts.subarray(0, table.size), 1);
    addUp(starts);
    const postings = new Uint16Array(table.wordCount);
    const next = starts.slice();
    for (let from = 0; from < size; from += STEP) {
      post(table.words, ends, { from, to: Math.min(from + STEP, size) }, { postings, next });
      yield;
    }
    const vocabulary = yield* Vocabulary.build(table);
    const words = { vocabulary, starts, postings, isPlain: isPlain.includes(0) ? isPlain : undefined };
    return new TextSegment(records, range, words);
  }

  /** Notes that the record at a position was removed by a change. */
  remove(position: number, change: number): void {
    if (!this.#removed.has(position)) this.#removed.set(position, change);
  }

  recordAt(position: number): StoredRecord {
    return this.#records[this.#first + position]!;
  }

  isPlain(position: number): boolean {
    return this.#words.isPlain === undefined || this.#words.isPlain[position] === 1;
  }

  /** Whether all records are plain. */
  get arePlain(): boolean {
    return this.#words.isPlain === undefined;
  }

  /** The positions of the records that had been there before a change and may have the parts of one of the ways. */
  placesOf({ ways, isApart }: WantedParts, change: number): Places {
    const [only] = ways;
    const { positions, areProven } = ways.length === 1 && only ? this.#withAll(only, isApart) : this.#withAny(ways);
    if (this.#removed.size === 0) return { positions, areProven };
    const isThere = (position: number): boolean => (this.#removed.get(position) ?? change) >= change;
    return { positions: positions.filter(isThere), areProven };
  }

  #withAny(ways: readonly (readonly string[])[]): Places {
    const places = ways.map((way) => this.#withAll(way, false));
    const positions = unionOf(
      places.map((one) => one.positions),
      this.size,
    );
    return { positions, areProven: places.every(({ areProven }) => areProven) };
  }

  /** Looks for long needles first: they are in few records, and soon it takes less time to test these. */
  #withAll(needles: readonly string[], isApart: boolean): Places {
    const [first = "", ...more] = needles.length > 1 ? [...needles].sort((a, b) => b.length - a.length) : needles;
    const firstWords = this.#words.vocabulary.wordsWith(first);
    let positions = this.#withOneOf(firstWords);
    let areProven = true;
    for (const needle of more) {
      if (positions.length === 0) break;
      if (positions.length <= (needle.length <= SHORT ? FEW_FOR_SHORT : FEW)) return { positions, areProven: false };
      const words = this.#words.vocabulary.wordsWith(needle);
      areProven = isApart && areDifferent(firstWords, words);
      positions = this.#among(positions, words);
    }
    return { positions, areProven };
  }

  #withOneOf(words: readonly number[]): Numbers {
    const [first] = words;
    if (first !== undefined && words.length === 1) return this.#postingsOf(first);
    return unionOfPostings(this.#words, words, this.size);
  }

  #among(positions: Numbers, words: readonly number[]): Numbers {
    const [first] = words;
    if (first !== undefined && words.length === 1) return common(positions, this.#postingsOf(first));
    return commonWithPostings(positions, this.#words, words);
  }

  #postingsOf(word: number): Numbers {
    const { starts, postings } = this.#words;
    return postings.subarray(starts[word], starts[word + 1]);
  }
}

function areDifferent(some: readonly number[], others: readonly number[]): boolean {
  const known = new Set(some);
  return !others.some((one) => known.has(one));
}

// Loops of their own: inside a generator, the engine would compile them late.

function addTexts(table: WordTable, texts: readonly Folded[], isPlain: Uint8Array, ends: Uint32Array): void {
  for (const [at, folded] of texts.entries()) {
    table.add(folded.text);
    isPlain[at] = folded.isPlain ? 1 : 0;
    ends[at] = table.wordCount;
  }
}

interface Posting {
  readonly postings: Uint16Array;
  /** The place of the next posting of each word. */
  readonly next: Uint32Array;
}

function post(words: Uint32Array, ends: Uint32Array, { from, to }: Range, { postings, next }: Posting): void {
  let at = ends[from - 1] ?? 0;
  for (let position = from; position < to; position++) {
    for (const word of words.subarray(at, ends[position])) postings[next[word]!++] = position;
    at = ends[position] ?? at;
  }
}
