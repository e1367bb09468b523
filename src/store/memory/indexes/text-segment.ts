import { STEP, type Work } from "../../../base/slices.ts";
import type { StoredRecord } from "../../stored-record.ts";
import { common, type Numbers, unionOf } from "./positions.ts";
import { addUp } from "./trigrams.ts";
import { Vocabulary } from "./vocabulary.ts";
import { WordTable } from "./word-table.ts";

/** Testing so many records takes no longer than looking for another part of their texts. */
const FEW = 16;

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

/** The words of the texts of records. */
interface Words {
  readonly vocabulary: Vocabulary;
  /** The positions of the records with word w are the postings from starts[w] up to starts[w + 1]. */
  readonly starts: Uint32Array;
  readonly postings: Uint16Array;
  readonly isPlain: Uint8Array | undefined;
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

  /**
   * The positions of the records that had been there before a change and may have the needles of one of the ways: those
   * that have a single needle, and no others.
   */
  positionsWith(ways: readonly (readonly string[])[], change: number): Numbers {
    const [only] = ways;
    const found = ways.length === 1 && only ? this.#withAll(only) : this.#withAny(ways);
    if (this.#removed.size === 0) return found;
    return found.filter((position) => (this.#removed.get(position) ?? change) >= change);
  }

  #withAny(ways: readonly (readonly string[])[]): Numbers {
    return unionOf(
      ways.map((way) => this.#withAll(way)),
      this.size,
    );
  }

  /** Looks for long needles first: they are in few records, and soon it takes less time to test these. */
  #withAll(needles: readonly string[]): Numbers {
    const [first = "", ...more] = needles.length > 1 ? [...needles].sort((a, b) => b.length - a.length) : needles;
    let found = this.#withOne(first);
    for (const needle of more) {
      if (found.length <= FEW) break;
      found = common(found, this.#withOne(needle));
    }
    return found;
  }

  #withOne(needle: string): Numbers {
    const words = this.#words.vocabulary.wordsWith(needle);
    const [first] = words;
    if (first !== undefined && words.length === 1) return this.#postingsOf(first);
    return unionOf(
      words.map((word) => this.#postingsOf(word)),
      this.size,
    );
  }

  #postingsOf(word: number): Numbers {
    const { starts, postings } = this.#words;
    return postings.subarray(starts[word], starts[word + 1]);
  }
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
