import { isLetter, SEPARATOR } from "./words.ts";

const SEPARATOR_CODE = SEPARATOR.charCodeAt(0);
const HASH_START = 0x811c9dc5;
const HASH_FACTOR = 0x01000193;

/**
 * Numbers the different words of texts, in the order of their first occurrence, and notes which records have them. Works on
 * numbers alone: making a text of every word to look it up would take several times as long.
 */
export class WordTable {
  /** The letters of all words, with a separator before each and behind the last. */
  codes = new Uint16Array(4096);
  /** Where each word ends in `codes`, its separator included. */
  ends = new Uint32Array(512);
  size = 0;
  /** The words of one record after the other, each once, and how many records have each word. */
  words = new Uint32Array(4096);
  wordCount = 0;
  counts = new Uint32Array(512);
  /** Whether each word is in a text that is not collected as a whole. */
  isLoose = new Uint8Array(512);
  /** The number of the last record that has a word, from 1 on. */
  #seenBy = new Uint32Array(512);
  #hashes = new Uint32Array(512);
  /** Numbers of words, from 1 on, by hash. */
  #slots = new Uint32Array(1024);
  #codeCount = 1;
  #records = 0;

  /** Begins with the next record. */
  begin(): void {
    this.#records++;
  }

  /** Adds the words of a text, in lower case. */
  add(text: string): void {
    this.#reserve(text.length);
    let start = 0;
    let hash = HASH_START;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (isLetter(code)) hash = Math.imul(hash ^ code, HASH_FACTOR);
      else {
        if (at > start) this.#noteLoose(this.#numberOf(text, start, at, hash));
        start = at + 1;
        hash = HASH_START;
      }
    }
    if (text.length > start) this.#noteLoose(this.#numberOf(text, start, text.length, hash));
  }

  /** The numbers of the words of a text, each once. It is not added. */
  numbersOf(text: string): number[] {
    const numbers: number[] = [];
    let start = 0;
    let hash = HASH_START;
    for (let at = 0; at <= text.length; at++) {
      const code = at < text.length ? text.charCodeAt(at) : SEPARATOR_CODE;
      if (isLetter(code)) hash = Math.imul(hash ^ code, HASH_FACTOR);
      else {
        if (at > start) numbers.push(this.#numberOf(text, start, at, hash));
        start = at + 1;
        hash = HASH_START;
      }
    }
    return [...new Set(numbers)];
  }

  /** Adds a text that is one word. */
  addWord(text: string): true {
    this.#reserve(1);
    let hash = HASH_START;
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), HASH_FACTOR);
    this.#note(this.#numberOf(text, 0, text.length, hash));
    return true;
  }

  /** Adds the words of a text that is collected as a whole. */
  addWords(words: readonly number[]): void {
    this.#reserve(words.length);
    for (const word of words) this.#note(word);
  }

  #reserve(count: number): void {
    if (this.wordCount + count > this.words.length) this.words = grown(this.words, this.wordCount + count);
  }

  #noteLoose(word: number): void {
    this.isLoose[word] = 1;
    this.#note(word);
  }

  #note(word: number): void {
    if (this.#seenBy[word] === this.#records) return;
    this.#seenBy[word] = this.#records;
    this.counts[word]!++;
    this.words[this.wordCount++] = word;
  }

  /** Inner loop: positional parameters. */
  #numberOf(text: string, start: number, end: number, rawHash: number): number {
    const hash = (rawHash ^ (rawHash >>> 15)) >>> 0;
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = this.#slots[slot] ?? 0;
      if (number === 0) return this.#append(text, start, end, hash, slot);
      if (this.#hashes[number - 1] === hash && this.#isWord(number - 1, text, start, end)) return number - 1;
    }
  }

  #isWord(word: number, text: string, start: number, end: number): boolean {
    const first = this.ends[word - 1] ?? 1;
    if ((this.ends[word] ?? 0) - 1 - first !== end - start) return false;
    for (let at = start; at < end; at++) if (this.codes[first + at - start] !== text.charCodeAt(at)) return false;
    return true;
  }

  #append(text: string, start: number, end: number, hash: number, slot: number): number {
    const needed = this.#codeCount + end - start + 1;
    if (needed > this.codes.length) this.codes = grown(this.codes, needed);
    for (let at = start; at < end; at++) this.codes[this.#codeCount++] = text.charCodeAt(at);
    this.codes[this.#codeCount++] = SEPARATOR_CODE;
    const word = this.size++;
    this.#hashes[word] = hash;
    this.ends[word] = this.#codeCount;
    this.#slots[slot] = word + 1;
    if (this.size === this.ends.length) this.#grow();
    return word;
  }

  /** Slots are at most half full. */
  #grow(): void {
    const size = 2 * this.ends.length;
    this.ends = grown(this.ends, size);
    this.counts = grown(this.counts, size);
    this.isLoose = grown(this.isLoose, size);
    this.#seenBy = grown(this.#seenBy, size);
    this.#hashes = grown(this.#hashes, size);
    this.#slots = new Uint32Array(2 * size);
    const mask = this.#slots.length - 1;
    for (let word = 0; word < this.size; word++) {
      let slot = (this.#hashes[word] ?? 0) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = word + 1;
    }
  }
}

function grown<T extends Uint8Array | Uint16Array | Uint32Array>(array: T, needed: number): T {
  const larger = new (array.constructor as new (length: number) => T)(Math.max(2 * array.length, needed));
  larger.set(array);
  return larger;
}
