/** Stands between the texts of a record and after each record. A search that contains it cannot use the blocks. */
export const SEPARATOR = "\0";
/** The least length of a block, so that few of them are searched for a rare text and each for long enough. */
const BLOCK_LENGTH = 512;

/** The text of a record to search in. */
export interface Folded {
  /** In lower case; several texts are separated. */
  readonly text: string;
  /** Whether it tells as much as the record itself. */
  readonly isPlain: boolean;
}

/**
 * The texts of many records, one after the other in blocks: one search in a long text is many times faster than a search
 * in each of its parts, and takes less memory.
 */
export class TextBlocks {
  readonly #texts: string[] = [];
  /** The position of the first record of each block, and the number of records at the end. */
  readonly #firsts: number[] = [0];
  /** Where the text of each record ends in its block, its separator included. */
  readonly #ends: Uint32Array;
  readonly #isPlain: Uint8Array;
  #count = 0;
  #open: string[] = [];
  #length = 0;

  constructor(records: number) {
    this.#ends = new Uint32Array(records);
    this.#isPlain = new Uint8Array(records);
  }

  /** The number of blocks. */
  get size(): number {
    return this.#texts.length;
  }

  append({ text, isPlain }: Folded): void {
    this.#open.push(text);
    this.#length += text.length + SEPARATOR.length;
    this.#ends[this.#count] = this.#length;
    this.#isPlain[this.#count] = isPlain ? 1 : 0;
    this.#count++;
    if (this.#length >= BLOCK_LENGTH || this.#count === this.#ends.length) this.#close();
  }

  #close(): void {
    // For the last separator. Appended to the joined text, it would leave a rope.
    this.#open.push("");
    this.#texts.push(this.#open.join(SEPARATOR));
    this.#firsts.push(this.#count);
    this.#open = [];
    this.#length = 0;
  }

  /** All texts of a block. */
  block(block: number): string {
    return this.#texts[block] ?? "";
  }

  isPlain(position: number): boolean {
    return this.#isPlain[position] === 1;
  }

  /** The text of one record of a block. */
  textAt(block: number, position: number): string {
    const start = position === this.#firsts[block] ? 0 : this.#endOf(position - 1);
    return this.block(block).slice(start, this.#endOf(position) - SEPARATOR.length);
  }

  #endOf(position: number): number {
    return this.#ends[position] ?? 0;
  }

  /** Visits the positions of a block whose texts contain the part, which has no separator. */
  forEachWith(part: string, block: number, visit: (position: number) => void): void {
    const text = this.block(block);
    const end = this.#firsts[block + 1] ?? 0;
    let position = this.#firsts[block] ?? 0;
    if (part === "") while (position < end) visit(position++);
    else {
      for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, this.#ends[position - 1])) {
        while (this.#endOf(position) <= at) position++;
        visit(position++);
      }
    }
  }
}
