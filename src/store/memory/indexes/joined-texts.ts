import { isAscii } from "../../../query/wildcards.ts";
import type { Rendering, StoredRecord } from "../../stored-record.ts";

/** The records of a block: few, because a write drops a whole block, and the first page in it makes a whole one. */
const BLOCK = 16;
/** The most records whose texts are kept joined for one response: larger ones would fill the memory. */
export const MAX_JOINED_RECORDS = 1000;
/** The most characters of all joined texts of an index; beyond it they are dropped. */
export const MAX_JOINED = 64 * 1024 * 1024;
/** The same for texts in another form than their own. */
const MAX_RENDERED = MAX_JOINED / 4;

/** A list of records that can be read in parts. */
export interface Records {
  slice(from: number, to: number): readonly StoredRecord[];
}

interface Block {
  /** The JSON texts of its records, separated by commas. */
  readonly text: string;
  /** Where the text of each record ends. */
  readonly ends: readonly number[];
  readonly slots: readonly number[];
}

/**
 * The JSON texts of a list of records, joined in blocks. The records are scattered in memory, so visiting them for every
 * page would take longer than the rest of the query. A block is made when it is first needed.
 */
export class JoinedTexts {
  /** Renders each record; its own text without this. */
  readonly #rendering: Rendering | undefined;
  #blocks: (Block | undefined)[] = [];
  /** The characters of all blocks. */
  length = 0;
  /** Whether every text that was joined is ASCII, so that readers know its bytes without a look at each character. */
  isAscii = true;

  constructor(rendering?: Rendering) {
    this.#rendering = rendering;
  }

  get isFull(): boolean {
    return this.length > (this.#rendering ? MAX_RENDERED : MAX_JOINED);
  }

  /** The texts of the records from `from` up to, not including, `to`, separated by commas. */
  join(records: Records, from: number, to: number): string {
    let joined = "";
    for (let at = from; at < to; ) {
      const number = Math.floor(at / BLOCK);
      const start = number * BLOCK;
      const end = Math.min(start + BLOCK, to);
      const part = partOf(this.#blocks[number] ?? this.#make(records, number), at - start, end - start);
      joined = at === from ? part : `${joined},${part}`;
      at = end;
    }
    return joined;
  }

  /** Appends the text and the slot of each of these records. */
  collect(records: Records, from: number, to: number, texts: string[], slots: number[]): void {
    for (let at = from; at < to; ) {
      const number = Math.floor(at / BLOCK);
      const start = number * BLOCK;
      const block = this.#blocks[number] ?? this.#make(records, number);
      for (const end = Math.min(start + BLOCK, to); at < end; at++) {
        texts.push(partOf(block, at - start, at - start + 1));
        slots.push(block.slots[at - start]!);
      }
    }
  }

  /** Drops the text of a record that was replaced. */
  replaced(position: number): void {
    const number = Math.floor(position / BLOCK);
    const block = this.#blocks[number];
    if (!block) return;
    this.length -= block.text.length;
    this.#blocks[number] = undefined;
  }

  /** Drops the texts from a position on, after an insertion or removal there: the records behind it have moved. */
  moved(position: number): void {
    const first = Math.floor(position / BLOCK);
    for (let number = first; number < this.#blocks.length; number++) {
      this.length -= this.#blocks[number]?.text.length ?? 0;
    }
    if (first < this.#blocks.length) this.#blocks.length = first;
  }

  clear(): void {
    this.#blocks = [];
    this.length = 0;
  }

  #make(records: Records, number: number): Block {
    const texts: string[] = [];
    const ends: number[] = [];
    const slots: number[] = [];
    let end = -1;
    for (const record of records.slice(number * BLOCK, (number + 1) * BLOCK)) {
      const text = this.#rendering ? this.#rendering.render(record.value) : record.text;
      texts.push(text);
      end += text.length + 1;
      ends.push(end);
      slots.push(record.slot);
    }
    const block = { text: texts.join(","), ends, slots };
    // Without gaps, an array is read faster.
    while (this.#blocks.length < number) this.#blocks.push(undefined);
    this.#blocks[number] = block;
    this.length += block.text.length;
    this.isAscii &&= isAscii(block.text);
    return block;
  }
}

/** The texts of some records of a block. */
function partOf({ text, ends }: Block, from: number, to: number): string {
  if (from === 0 && to === ends.length) return text;
  return text.slice(from === 0 ? 0 : ends[from - 1]! + 1, ends[to - 1]);
}
