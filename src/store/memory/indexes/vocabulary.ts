import type { Work } from "../../../base/slices.ts";
import { MAX_POSITIONS, type Numbers } from "./positions.ts";
import { Trigrams } from "./trigrams.ts";
import type { WordTable } from "./word-table.ts";
import { SEPARATOR } from "./words.ts";

/** The least length of a block, so that few of them are searched for a rare part and each for long enough. */
const BLOCK_LENGTH = 768;
/** With fewer blocks, searching all takes no longer than choosing some. */
const MIN_CHOSEN_BLOCKS = 8;
/** The blocks to make between two possible pauses. */
const BLOCK_STEP = 64;
/** The letters that become a text in one call. */
const MAX_ARGUMENTS = 8192;

/** The different words of many texts, in blocks of several: one search in a long text is faster than one in each of its words. */
export class Vocabulary {
  /** Words with a separator before and behind each. */
  readonly #blocks: readonly string[];
  /** The first word of each block, and the number of words at the end. */
  readonly #firsts: readonly number[];
  /** Where each word ends in its block, its separator included; in 16 bits unless a word is too long. */
  readonly #ends: Numbers;
  readonly #trigrams: Trigrams | undefined;

  private constructor(blocks: readonly string[], firsts: readonly number[], ends: Numbers, trigrams?: Trigrams) {
    this.#blocks = blocks;
    this.#firsts = firsts;
    this.#ends = ends;
    this.#trigrams = trigrams;
  }

  static *build({ codes, ends: ofAll, size }: WordTable): Work<Vocabulary> {
    const blocks: string[] = [];
    const firsts = [0];
    const ends = ofAll.slice(0, size);
    // The separator before the first word.
    let start = 0;
    let longest = 0;
    for (let word = 0; word < size; word++) {
      const end = ends[word] ?? 0;
      ends[word] = end - start;
      if (end - start < BLOCK_LENGTH && word < size - 1) continue;
      blocks.push(textOfCodes(codes.subarray(start, end)));
      longest = Math.max(longest, end - start);
      firsts.push(word + 1);
      start = end - SEPARATOR.length;
      if (blocks.length % BLOCK_STEP === 0) yield;
    }
    const trigrams = blocks.length < MIN_CHOSEN_BLOCKS ? undefined : yield* Trigrams.build(blocks);
    return new Vocabulary(blocks, firsts, longest < MAX_POSITIONS ? Uint16Array.from(ends) : ends, trigrams);
  }

  /** The number of words. */
  get size(): number {
    return this.#ends.length;
  }

  /** The words that contain a part of a word; separators are its ends. */
  wordsWith(needle: string): number[] {
    const words: number[] = [];
    const chosen = this.#trigrams?.blocksWith(needle);
    for (const block of chosen ?? this.#blocks.keys()) this.#searchBlock(block, needle, words);
    return words;
  }

  #endOf(word: number): number {
    return this.#ends[word] ?? 0;
  }

  #searchBlock(block: number, needle: string, words: number[]): void {
    const text = this.#blocks[block] ?? "";
    const lead = needle.startsWith(SEPARATOR) ? 1 : 0;
    let word = this.#firsts[block] ?? 0;
    for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, this.#endOf(word - 1) - 1)) {
      while (this.#endOf(word) <= at + lead) word++;
      words.push(word++);
      if (word === this.#firsts[block + 1]) return;
    }
  }
}

function textOfCodes(codes: Uint16Array): string {
  let text = "";
  for (let at = 0; at < codes.length; at += MAX_ARGUMENTS) {
    // Spreading them would visit each by an iterator.
    text += Reflect.apply(String.fromCharCode, undefined, codes.subarray(at, at + MAX_ARGUMENTS));
  }
  return text;
}
