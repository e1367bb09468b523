import { STEP, type Work } from "../../../base/slices.ts";
import type { StoredRecord } from "../../stored-record.ts";
import { type FieldCounts, type PhrasePlace, type Phrases, PhraseTable } from "./phrases.ts";
import { type Numbers, PostingSets, unionOf } from "./positions.ts";
import { addUp } from "./trigrams.ts";
import { Vocabulary } from "./vocabulary.ts";
import { WordTable } from "./word-table.ts";
import { isBareWord } from "./words.ts";

/** Testing so many records takes no longer than looking for another part of their texts. */
const FEW = 16;
/** The same for a part of so few characters that many words have it. */
const FEW_FOR_SHORT = 256;
const SHORT = 3;

/** The texts of a record to search in. */
export interface Folded {
  /** In lower case. */
  readonly texts: readonly string[];
  /** Whether they tell as much as the record itself. */
  readonly isPlain: boolean;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The words of the texts of records; of each, the positions of the records that have it. */
interface Words {
  readonly vocabulary: Vocabulary;
  readonly records: PostingSets;
  readonly isPlain: Uint8Array | undefined;
  /** The whole texts of fields whose texts repeat. */
  readonly phrases: Phrases | undefined;
}

/** The texts to look for in a segment. */
export interface WantedParts {
  /** Parts of words, separators being their ends: every match has all of one of these lists. */
  readonly ways: readonly (readonly string[])[];
  /** Whether the only way has two parts, and plain records that have them in two words are matches. */
  readonly isApart: boolean;
  /** Whether the plain records that have the parts of a way are the matches. */
  readonly isExact: boolean;
  /** A text that a text of every match contains; empty where none is known. */
  readonly part: string;
  /** Tests the texts of plain records that contain it; undefined where a look at the record is necessary. */
  readonly holds: ((text: string) => boolean) | undefined;
}

export interface Places {
  readonly positions: Numbers;
  /** Whether all that are plain are matches. */
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
    range: Range & { readonly counts?: FieldCounts | undefined } = { from: 0, to: records.length },
  ): Work<TextSegment> {
    const table = new WordTable();
    const phrases = range.counts ? new PhraseTable(range.counts) : undefined;
    const size = range.to - range.from;
    const isPlain = new Uint8Array(size);
    const ends = new Uint32Array(size);
    for (let from = 0; from < size; from += STEP) {
      const part = records.slice(range.from + from, Math.min(range.from + from + STEP, range.to));
      addTexts({ table, phrases, isPlain, ends }, part.map(fold), from);
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
    const words = {
      vocabulary,
      records: new PostingSets({ starts, postings }),
      isPlain: isPlain.includes(0) ? isPlain : undefined,
      phrases: phrases && (yield* phrases.build(table.isLoose)),
    };
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
  placesOf(wanted: WantedParts, change: number): Places {
    const { positions, areProven } = wanted.ways.length === 1 ? this.#withAll(wanted) : this.#withAny(wanted);
    if (this.#removed.size === 0) return { positions, areProven };
    const isThere = (position: number): boolean => (this.#removed.get(position) ?? change) >= change;
    return { positions: positions.filter(isThere), areProven };
  }

  #withAny({ ways, isExact }: WantedParts): Places {
    const places = ways.map((needles) => this.#intersect(needles, false));
    const positions = unionOf(places.map((one) => one.positions));
    return { positions, areProven: isExact && places.every(({ areProven }) => areProven) };
  }

  #withAll({ ways: [needles = []], isApart, isExact, holds }: WantedParts): Places {
    const { vocabulary, phrases } = this.#words;
    if (isExact && needles.length === 1) return this.#intersect(needles, isApart);
    if (phrases && holds) {
      const words = needles.map((needle) => vocabulary.wordsWith(needle));
      if (words.some((some) => phrases.haveAll(some))) {
        return { positions: phrases.positionsOf(words, holds), areProven: true };
      }
    }
    const { positions, areProven } = this.#intersect(needles, isApart);
    return { positions, areProven: positions.length === 0 || (isExact && areProven) };
  }

  /** Looks for long needles first: they are in few records, and soon it takes less time to test these. */
  #intersect(needles: readonly string[], isApart: boolean): Places {
    const { vocabulary, records } = this.#words;
    const [first = "", ...more] = needles.length > 1 ? [...needles].sort((a, b) => b.length - a.length) : needles;
    const firstWords = vocabulary.wordsWith(first);
    let positions = records.union(firstWords);
    let areProven = true;
    for (const needle of more) {
      if (positions.length === 0) break;
      if (positions.length <= (needle.length <= SHORT ? FEW_FOR_SHORT : FEW)) return { positions, areProven: false };
      const words = vocabulary.wordsWith(needle);
      areProven = isApart && areDifferent(firstWords, words);
      positions = records.common(positions, words);
    }
    return { positions, areProven };
  }
}

function areDifferent(some: readonly number[], others: readonly number[]): boolean {
  const known = new Set(some);
  return !others.some((one) => known.has(one));
}

// Loops of their own: inside a generator, the engine would compile them late.

interface Tables {
  readonly table: WordTable;
  readonly phrases: PhraseTable | undefined;
  readonly isPlain: Uint8Array;
  readonly ends: Uint32Array;
}

function addTexts({ table, phrases, isPlain, ends }: Tables, records: readonly Folded[], first: number): void {
  for (const [at, folded] of records.entries()) {
    const position = first + at;
    table.begin();
    for (let field = 0; field < folded.texts.length; field++) {
      const text = folded.texts[field] ?? "";
      const isWhole = phrases && folded.isPlain && addWhole(table, phrases, text, { field, position });
      if (!isWhole) table.add(text);
    }
    isPlain[position] = folded.isPlain ? 1 : 0;
    ends[position] = table.wordCount;
  }
}

/** Adds a text as a whole, with its words, if texts of its field repeat; returns whether it did. */
function addWhole(table: WordTable, phrases: PhraseTable, text: string, { field, position }: PhrasePlace): boolean {
  if (isBareWord(text)) return table.addWord(text);
  if (!phrases.isOpen(field)) return false;
  const known = phrases.note(text, field, position);
  if (known) table.addWords(known.words);
  if (known) return true;
  if (!phrases.isCollecting(field)) return false;
  const words = table.numbersOf(text);
  table.addWords(words);
  phrases.add(text, words, { field, position });
  return true;
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
