import type { Work } from "../../../base/slices.ts";
import { type Numbers, PostingSets, type Postings } from "./positions.ts";
import { addUp } from "./trigrams.ts";

/** After so many texts of a field, those of a field that hardly repeats are collected no longer. */
const FEW_TEXTS = 2048;
const MAX_SHARE_OF_FEW = 0.95;
/** The same again, more strictly, as in the end: keeping them is worthwhile if each is found again. */
const MANY_TEXTS = 16_384;
const MAX_SHARE = 0.5;
/** So few different texts take no memory. */
const NO_TEXTS = 512;
/** Fields are told apart by the place of their text in a record; those behind are usually elements of lists. */
const MAX_FIELDS = 32;
/** The most texts of a segment; their numbers fit into 16 bits. */
const MAX_PHRASES = 32_768;
/** The pairs of numbers to read between two possible pauses. */
const STEP = 8192;

interface FieldCount {
  seen: number;
  different: number;
  isCollected: boolean;
}

/** How often the texts of each field repeat. The segments of an index share it. */
export class FieldCounts {
  readonly #fields: FieldCount[] = [];

  /** Whether texts of a field are collected. */
  isCollected(field: number): boolean {
    return field < MAX_FIELDS && this.#at(field).isCollected;
  }

  /** Whether the texts of a field repeat so often that they are kept. */
  isKept(field: number): boolean {
    const { seen, different, isCollected } = this.#at(field);
    return isCollected && different <= Math.max(NO_TEXTS, seen * MAX_SHARE);
  }

  count(field: number, isNew: boolean): void {
    const count = this.#at(field);
    count.seen++;
    if (!isNew) return;
    count.different++;
    const { seen, different } = count;
    const maxShare = seen < FEW_TEXTS ? 1 : seen < MANY_TEXTS ? MAX_SHARE_OF_FEW : MAX_SHARE;
    if (different > seen * maxShare) count.isCollected = false;
  }

  #at(field: number): FieldCount {
    const known = this.#fields[field];
    if (known) return known;
    const count = { seen: 0, different: 0, isCollected: true };
    this.#fields[field] = count;
    return count;
  }
}

/** A text that records have, while it is collected. */
export interface Phrase {
  readonly number: number;
  readonly field: number;
  /** The numbers of its words, each once. */
  readonly words: readonly number[];
  /** The last record that has it. */
  last: number;
}

/** The place of a text. */
export interface PhrasePlace {
  readonly field: number;
  /** That of the record. */
  readonly position: number;
}

/** Collects the different texts of fields whose texts repeat, and notes which records have them. */
export class PhraseTable {
  readonly #counts: FieldCounts;
  readonly #byText = new Map<string, Phrase>();
  #phrases: Uint16Array = new Uint16Array(4096);
  #positions: Uint16Array = new Uint16Array(4096);
  #pairs = 0;

  constructor(counts: FieldCounts) {
    this.#counts = counts;
  }

  /** Whether texts of a field are noted; looking up all those of a field that hardly repeats would take long. */
  isOpen(field: number): boolean {
    return this.#counts.isCollected(field);
  }

  /** Whether a new text of a field is to be added. */
  isCollecting(field: number): boolean {
    return this.#byText.size < MAX_PHRASES && this.#counts.isCollected(field);
  }

  /** Notes that a record has a text; undefined if that is new. */
  note(text: string, field: number, position: number): Phrase | undefined {
    const phrase = this.#byText.get(text);
    if (!phrase) return undefined;
    if (field < MAX_FIELDS) this.#counts.count(field, false);
    this.#post(phrase, position);
    return phrase;
  }

  /** Notes a new text with its words. */
  add(text: string, words: readonly number[], { field, position }: PhrasePlace): void {
    const phrase = { number: this.#byText.size, field, words, last: -1 };
    this.#byText.set(text, phrase);
    this.#counts.count(field, true);
    this.#post(phrase, position);
  }

  #post(phrase: Phrase, position: number): void {
    if (phrase.last === position) return;
    phrase.last = position;
    if (this.#pairs === this.#phrases.length) {
      this.#phrases = doubled(this.#phrases);
      this.#positions = doubled(this.#positions);
    }
    this.#phrases[this.#pairs] = phrase.number;
    this.#positions[this.#pairs++] = position;
  }

  /** Marks the words of texts that are dropped as loose. */
  *build(isLoose: Uint8Array): Work<Phrases | undefined> {
    const kept: [text: string, phrase: Phrase][] = [];
    for (const one of this.#byText) {
      const [, { field, words }] = one;
      if (this.#counts.isKept(field)) kept.push(one);
      else for (const word of words) isLoose[word] = 1;
    }
    if (kept.length === 0) return undefined;
    // The numbers of those that are dropped are behind the others.
    const numbers = new Uint16Array(this.#byText.size).fill(kept.length);
    for (const [at, [, { number }]] of kept.entries()) numbers[number] = at;
    yield;
    const phrases = this.#phrases.subarray(0, this.#pairs).map((phrase) => numbers[phrase] ?? 0);
    const records = yield* setsOf(phrases, this.#positions, kept.length);
    const { words, owners, wordCount } = wordsOf(kept.map(([, phrase]) => phrase));
    return new Phrases({
      texts: kept.map(([text]) => text).join(""),
      ends: endsOf(kept.map(([text]) => text)),
      isLoose: isLoose.slice(0, wordCount),
      byWord: new PostingSets(yield* setsOf(words, owners, wordCount)),
      records: new PostingSets(records),
    });
  }
}

interface PhraseParts {
  /** One behind the other, and where each ends. */
  readonly texts: string;
  readonly ends: Uint32Array;
  /** Of the words up to the last that a phrase has. */
  readonly isLoose: Uint8Array;
  readonly byWord: PostingSets;
  readonly records: PostingSets;
}

/** The texts that many records have, each once, with their words and the positions of these records. */
export class Phrases {
  readonly #parts: PhraseParts;

  constructor(parts: PhraseParts) {
    this.#parts = parts;
  }

  /** Whether all texts with one of these words are phrases. */
  haveAll(words: readonly number[]): boolean {
    return words.every((word) => this.#parts.isLoose[word] === 0);
  }

  /** The positions of the records with a text that has a word of each list and passes a test. */
  positionsOf(wanted: readonly (readonly number[])[], holds: (text: string) => boolean): Numbers {
    const { texts, ends, isLoose, byWord, records } = this.#parts;
    const [first = [], ...more] = wanted.map((words) => words.filter((word) => word < isLoose.length));
    let phrases = byWord.union(first);
    for (const words of more) phrases = byWord.common(phrases, words);
    const found: number[] = [];
    for (const phrase of phrases) {
      if (holds(texts.slice(ends[phrase - 1] ?? 0, ends[phrase]))) found.push(phrase);
    }
    return records.union(found);
  }
}

/** The words of one phrase after the other, the place of the phrase of each, and the number behind the last word. */
function wordsOf(phrases: readonly Phrase[]): { words: Uint32Array; owners: Uint16Array; wordCount: number } {
  const length = phrases.reduce((sum, { words }) => sum + words.length, 0);
  const words = new Uint32Array(length);
  const owners = new Uint16Array(length);
  let next = 0;
  let wordCount = 0;
  for (const [owner, phrase] of phrases.entries()) {
    for (const word of phrase.words) {
      words[next] = word;
      owners[next++] = owner;
      wordCount = Math.max(wordCount, word + 1);
    }
  }
  return { words, owners, wordCount };
}

function endsOf(texts: readonly string[]): Uint32Array {
  let end = 0;
  return Uint32Array.from(texts, ({ length }) => {
    end += length;
    return end;
  });
}

/** The sets of values by key, of pairs in ascending order of their values; keys beyond the count are left out. */
function* setsOf(keys: Numbers, values: Uint16Array, count: number): Work<Postings> {
  const starts = new Uint32Array(count + 2);
  for (let from = 0; from < keys.length; from += STEP) {
    countKeys(keys.subarray(from, from + STEP), starts);
    yield;
  }
  addUp(starts);
  const postings = new Uint16Array(starts[count] ?? 0);
  const next = starts.slice();
  for (let from = 0; from < keys.length; from += STEP) {
    postPairs(keys.subarray(from, from + STEP), values.subarray(from), postings, next);
    yield;
  }
  return { starts: starts.slice(0, count + 1), postings };
}

function doubled(array: Uint16Array): Uint16Array {
  const larger = new Uint16Array(2 * array.length);
  larger.set(array);
  return larger;
}

// Loops of their own: inside a generator, the engine would compile them late.

function countKeys(keys: Numbers, starts: Uint32Array): void {
  for (const key of keys) starts[key + 1] = (starts[key + 1] ?? 0) + 1;
}

function postPairs(keys: Numbers, values: Uint16Array, postings: Uint16Array, next: Uint32Array): void {
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] ?? 0;
    const place = next[key] ?? 0;
    next[key] = place + 1;
    if (place < postings.length) postings[place] = values[at] ?? 0;
  }
}
