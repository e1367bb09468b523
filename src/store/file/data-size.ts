import { join } from "node:path";
import { StartError } from "../../base/errors.ts";
import { inSlices, STEP, type Work } from "../../base/slices.ts";
import { dataTooLarge } from "../data-too-large.ts";
import type { Edit, Exported } from "../store.ts";
import { headOfFile } from "./file-content.ts";
import { formatOf } from "./formats/formats.ts";
import type { Layout } from "./layout.ts";
import { type Spacing, spacedBytes, spacedBytesNow } from "./spaced-bytes.ts";

/** Data below this share of the limit is far from it, in whatever format it is. */
const FAR = 1 / 16;
/** How much larger our format makes compact JSON, at most in practice. */
const EXPANSION = 4;
/** Characters at the start of a file that tell whether a save would lay it out otherwise. */
const HEAD = 64 * 1024;
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

  /** Throws if a save would lay out a file so that a start could not read it any more; `bytes` are those of all files. */
  expectSavable(bytes: number, read: () => readonly Exported[]): void {
    const { folder, files, render, place } = this.#layout;
    if (!this.isNear(bytes) || files().some(formatOf)) return;
    const members = read();
    const saved = render(members);
    for (const [file, pieces] of render(members)) {
      if (startsWith(join(folder, file), pieces)) continue;
      let size = 0;
      for (const piece of saved.get(file) ?? []) size += Buffer.byteLength(piece);
      if (size <= this.#maxBytes) continue;
      throw new StartError(
        `${this.#layout.memberOf ? file : place} would have ${size} bytes once a save has indented it; at most ` +
          `${this.#maxBytes} can be loaded again. Write it on one line (jq -c), which saves keep, serve it with ` +
          "--memory, or move to PostgreSQL (standin import).",
      );
    }
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
      const spacing = this.#spacingOf(name);
      if (after) this.#count(growth, name, bytesBeside(spacing) + (yield* spacedBytes(after.text, spacing)));
      if (before) this.#count(growth, name, -bytesBeside(spacing) - (yield* spacedBytes(before.text, spacing)));
      if (position % STEP === STEP - 1) yield;
    }
    return growth;
  }

  /** Hot path: does the same at once, for a small change. */
  growthNow(edits: readonly Edit[]): Growth {
    const growth = new Map<string, number>();
    for (const { name, before, after } of edits) {
      const spacing = this.#spacingOf(name);
      if (after) this.#count(growth, name, bytesBeside(spacing) + spacedBytesNow(after.text, spacing));
      if (before) this.#count(growth, name, -bytesBeside(spacing) - spacedBytesNow(before.text, spacing));
    }
    return growth;
  }

  #spacingOf(member: string): Spacing {
    const { indent, lineBreak } = this.#layout.formOf(this.#layout.fileOf(member));
    if (indent === undefined) return { line: 0, level: 0, colon: 0 };
    const levels = this.#layout.memberOf ? 1 : 2;
    return { line: lineBreak.length + levels * indent.length, level: indent.length, colon: 1 };
  }

  #count(growth: Map<string, number>, name: string, bytes: number): void {
    const file = this.#layout.fileOf(name);
    growth.set(file, (growth.get(file) ?? 0) + bytes);
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

/** The bytes of the comma and the line break of a record. */
function bytesBeside({ line }: Spacing): number {
  return 1 + line;
}

/** Whether a file begins with these pieces. */
function startsWith(path: string, pieces: Iterable<string>): boolean {
  let start = "";
  for (const piece of pieces) {
    start += piece;
    if (start.length >= HEAD) break;
  }
  const bytes = Buffer.from(start);
  return headOfFile(path, bytes.length) === bytes.toString("latin1");
}
