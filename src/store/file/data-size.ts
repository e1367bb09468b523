import { inSlices, STEP, type Work } from "../../base/slices.ts";
import { dataTooLarge } from "../data-too-large.ts";
import type { Edit, Exported } from "../store.ts";
import type { Layout } from "./layout.ts";

/** Data below this share of the limit is far from it, in whatever format it is. */
const FAR = 1 / 16;
/** How much larger our format makes compact JSON, at most in practice. */
const EXPANSION = 4;
/** Room for brackets, commas and names around the records. */
const MARGIN = 4096;

/** The bytes that a change adds to files, by name. */
export type Growth = ReadonlyMap<string, number>;

/**
 * The sizes that the data files will have with the next save. They decide whether a change is accepted: what is
 * acknowledged can be loaded again. Corrected by every save.
 */
export class DataSize {
  readonly #layout: Layout;
  /** The most bytes of a file that a start reads. */
  readonly #maxBytes: number;
  readonly #bytes = new Map<string, number>();
  /** The sizes at the moment that a save has taken its data. */
  #taken: Growth = new Map();
  /** A large file may get even larger in our format, so that it is weighed before the first change. */
  #isUnsure: boolean;
  /** At least the size of each file that was neither weighed nor saved yet. */
  #atFirst: number;

  /** `bytes` are those of all files as they were loaded. */
  constructor(layout: Layout, maxBytes: number, bytes: number) {
    this.#layout = layout;
    this.#maxBytes = maxBytes;
    this.#isUnsure = this.isNear(bytes);
    this.#atFirst = bytes * EXPANSION;
  }

  get isUnsure(): boolean {
    return this.#isUnsure;
  }

  /** Whether data of so many bytes in compact form may be too large in a file. */
  isNear(bytes: number): boolean {
    return bytes > this.#maxBytes * FAR;
  }

  /** Call when the data was exchanged without a word of its size. */
  doubt(): void {
    this.#isUnsure = true;
  }

  /** Weighs all data, with pauses. */
  async weigh(members: readonly Exported[]): Promise<void> {
    const weighed = await inSlices(this.#weighing(members));
    this.#isUnsure = false;
    this.#atFirst = 0;
    this.#bytes.clear();
    for (const [file, bytes] of weighed) this.#bytes.set(file, bytes);
  }

  /** Throws if a start could not read other data of so many bytes in compact form. */
  *expectFits(bytes: number, members: readonly Exported[]): Work<void> {
    if (!this.isNear(bytes)) return;
    for (const [file, size] of yield* this.#weighing(members)) this.#expectLoadable(file, size);
  }

  /** Starts over with other data of so many bytes in compact form. */
  replace(bytes: number): void {
    this.#bytes.clear();
    this.#taken = new Map();
    this.#atFirst = bytes * EXPANSION;
    this.#isUnsure = this.isNear(bytes);
  }

  *#weighing(members: readonly Exported[]): Work<Growth> {
    const weighed = new Map<string, number>();
    for (const [file, pieces] of this.#layout.render(members)) {
      let bytes = 0;
      for (const piece of pieces) {
        bytes += Buffer.byteLength(piece);
        yield;
      }
      weighed.set(file, bytes);
    }
    return weighed;
  }

  /** Weighs the records of a change, with pauses. */
  *growthBy(edits: readonly Edit[]): Work<Growth> {
    const growth = new Map<string, number>();
    for (const [position, { name, before, after }] of edits.entries()) {
      if (after) this.#count(growth, name, yield* indentedBytes(after.text, this.#indent));
      if (before) this.#count(growth, name, -(yield* indentedBytes(before.text, this.#indent)));
      if (position % STEP === STEP - 1) yield;
    }
    return growth;
  }

  /** Hot path: does the same at once, for a small change. */
  growthNow(edits: readonly Edit[]): Growth {
    const growth = new Map<string, number>();
    for (const { name, before, after } of edits) {
      if (after) this.#count(growth, name, indentedBytesNow(after.text, this.#indent));
      if (before) this.#count(growth, name, -indentedBytesNow(before.text, this.#indent));
    }
    return growth;
  }

  get #indent(): number {
    return this.#layout.memberOf ? 2 : 4;
  }

  /** Counts the bytes of a record, and those of its comma and line break. */
  #count(growth: Map<string, number>, name: string, bytes: number): void {
    const file = this.#layout.fileOf(name);
    growth.set(file, (growth.get(file) ?? 0) + bytes + Math.sign(bytes) * (this.#indent + 2));
  }

  /** Throws if a file would become larger than a start reads. A change that makes it smaller is always accepted. */
  expectRoom(growth: Growth): void {
    for (const [file, bytes] of growth) if (bytes > 0) this.#expectLoadable(file, this.#of(file) + bytes + MARGIN);
  }

  #expectLoadable(file: string, size: number): void {
    const { memberOf, place } = this.#layout;
    if (size > this.#maxBytes) throw dataTooLarge(memberOf ? file : place, size, this.#maxBytes);
  }

  /** Counts a change that is committed; `sign` -1 takes it back. */
  add(growth: Growth, sign: 1 | -1 = 1): void {
    for (const [file, bytes] of growth) this.#bytes.set(file, this.#of(file) + sign * bytes);
  }

  /** Call when a save takes its data. */
  take(): void {
    this.#taken = new Map(this.#bytes);
  }

  /** Learns the size of a file that a save is about to replace; throws if a start could not read it. */
  learn(file: string, bytes: number): void {
    this.#bytes.set(file, this.#of(file) + bytes - (this.#taken.get(file) ?? this.#atFirst));
    if (bytes > this.#maxBytes) throw dataTooLarge(file, bytes, this.#maxBytes);
  }

  #of(file: string): number {
    return this.#bytes.get(file) ?? this.#atFirst;
  }
}

/** Characters of one text between two pauses. */
const TEXT_STEP = 128 * 1024;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Where the weighing of a text is. */
interface Weighing {
  at: number;
  /** A line break and the indentation of the level. */
  line: number;
  /** The bytes that indentation has added so far. */
  added: number;
}

/** The bytes that compact JSON has in a data file: indented by 2 spaces per level, from `indent` spaces on. */
export function* indentedBytes(json: string, indent: number): Work<number> {
  const weighing: Weighing = { at: 0, line: 1 + indent, added: 0 };
  for (;;) {
    weighStep(json, weighing);
    if (weighing.at >= json.length) return Buffer.byteLength(json) + weighing.added;
    yield;
  }
}

function indentedBytesNow(json: string, indent: number): number {
  const weighing: Weighing = { at: 0, line: 1 + indent, added: 0 };
  while (weighing.at < json.length) weighStep(json, weighing);
  return Buffer.byteLength(json) + weighing.added;
}

/** Weighs the next part of a text. */
function weighStep(json: string, weighing: Weighing): void {
  let { at, line, added } = weighing;
  for (const end = Math.min(at + TEXT_STEP, json.length); at < end; at++) {
    switch (json.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(json, at);
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        // Empty ones stay on their line.
        if (isClosing(json.charCodeAt(at + 1))) at++;
        else added += line += 2;
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        added += line -= 2;
        break;
      case COMMA:
        added += line;
        break;
      case COLON:
        added++;
    }
  }
  weighing.at = at;
  weighing.line = line;
  weighing.added = added;
}

function isClosing(code: number): boolean {
  return code === CLOSE_ARRAY || code === CLOSE_OBJECT;
}

/** The position of the quote that ends a string. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let slashes = 0;
    while (json.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return json.length;
}
