import { existsSync, rmSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { PastText } from "../history/history-file.ts";
import { setAside } from "../own-folder.ts";
import { JournalFile, type JournalFileOptions } from "./journal-file.ts";
import { encodeLine, type FoldNote, type GapNote, type Hashes, type Header } from "./journal-format.ts";
import { isLarge, type Line, type LineText, lengthOf, textOfAll, totalLength } from "./long-line.ts";

/** The hashes of the data files, and the version up to which they hold every change. */
export interface Base {
  readonly v: number;
  readonly hashes: Hashes;
}

interface PendingLine {
  readonly line: Line;
  /** The version that must precede it. */
  readonly after: number;
  /** Takes back the change of the line, should it be refused; undefined for a note. */
  readonly undo: (() => void) | undefined;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** The lines a journal had when it was restarted on other data. */
export interface ReplacedJournal {
  /** The file that has the lines until they are saved elsewhere; undefined when they were in no file. */
  readonly path: string | undefined;
  /** Call when the lines are saved elsewhere: removes the file and resolves pending appends. */
  discard(): void;
  /** Call when the lines could not be saved elsewhere: keeps the file and rejects pending appends. */
  refuse(reason: unknown): void;
}

export interface JournalOptions extends JournalFileOptions {
  readonly base: Base;
}

/**
 * The append side of the journal. Lines that arrive during a write share the next one. The file exists only while there
 * are lines; those that no data file holds yet are also kept in memory, so that the journal can be rewritten when it is
 * folded or when the file was removed.
 */
export class JournalWriter {
  readonly #file: JournalFile;
  #base: Base;
  #lines: Line[] = [];
  /** The version after the last line. */
  #last: number;
  #pending: PendingLine[] = [];
  /** The length of all lines, the pending ones included. */
  #length = 0;
  #tasks: (() => Promise<void> | void)[] = [];
  #running: Promise<void> | undefined;
  #isWriting = false;
  /** Counts refused writes, so that a checkpoint notices that changes it exported were undone. */
  refusals = 0;

  constructor({ base, ...options }: JournalOptions) {
    this.#file = new JournalFile(options);
    this.#base = base;
    this.#last = base.v;
  }

  /** Continues with the lines of an earlier process; `base` is that of its header. */
  resume(lines: readonly Line[]): void {
    this.#lines = [...lines];
    this.#length = totalLength(lines);
    this.#last = lines.reduce((last, { version }) => Math.max(last, version), this.#base.v);
  }

  /** Whether any change is in no data file yet. */
  get hasLines(): boolean {
    return this.#lines.length > 0 || this.#pending.length > 0;
  }

  /** Whether one more line leaves a journal of at most so many characters. Alone, each line has room. */
  hasRoomFor(text: LineText, max: number): boolean {
    return this.#length === 0 || this.#length + lengthOf(text) <= max;
  }

  /** Resolves when no write is in progress. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  /**
   * Resolves when the operating system has the line, so that it survives the end of this process. If the line cannot be
   * written, it is refused together with all later ones, and `undo` is called for each of them, the latest first.
   */
  append(line: Line, undo: () => void): Promise<void> {
    return this.#append(line, line.version - 1, undo);
  }

  /** The lines up to a version, after another one, that the history is to keep. */
  pastUpTo(version: number, after = 0): readonly PastText[] {
    const found: PastText[] = [];
    const add = (line: Line): void => {
      if (line.past && line.version > after && line.version <= version) {
        found.push({ version: line.version, past: line.past });
      }
    };
    for (const line of this.#lines) add(line);
    for (const { line } of this.#pending) add(line);
    return found;
  }

  /** Writes to the disk what the data files are about to become; call it before they do. */
  async note(note: FoldNote): Promise<void> {
    const text = encodeLine(JSON.stringify(note));
    // A save that fails is repeated, again and again.
    const isNoted = this.#pending.length === 0 && this.#lines.at(-1)?.text === text;
    if (!isNoted) await this.#append({ version: note.v, text }, note.v);
    await this.#file.flush();
  }

  /** Writes all data as it is after the last line, together with the pending lines. */
  async keepWhole(version: number, text: LineText): Promise<void> {
    await this.#append({ version, text }, version);
  }

  /** Drops the lines that the data files hold, now that their content is `base`. */
  fold(base: Base): Promise<void> {
    return this.#betweenWrites(() => {
      const lines = this.#linesAfter(base);
      return lines.some(isLarge) ? this.#foldLarge(base, lines) : this.#fold(base, lines);
    });
  }

  #linesAfter(base: Base): Line[] {
    return this.#lines.filter((line) => line.version > base.v);
  }

  #fold(base: Base, lines: Line[]): void {
    if (lines.length === 0) this.#file.remove();
    else this.#file.replace(textsOf(base, lines));
    this.#startAt(base, lines);
  }

  /** Does the same with pauses, for lines that take long to write. */
  async #foldLarge(base: Base, lines: Line[]): Promise<void> {
    this.#isWriting = true;
    try {
      await this.#file.replaceLarge(textsOf(base, lines));
      this.#startAt(base, lines);
    } finally {
      this.#isWriting = false;
    }
  }

  /** Call when the file has this content: until then, the former base and lines must still match it. */
  #startAt(base: Base, lines: Line[]): void {
    this.#lines = lines;
    this.#length = totalLength(lines) + totalLength(this.#pending.map(({ line }) => line));
    this.#base = base;
    this.#last = Math.max(this.#last, base.v);
  }

  /**
   * Restarts on other data: calls `exchange` while no write is in progress. Returns the lines the journal had, if any;
   * they stay on the disk until they are discarded.
   */
  restart(exchange: () => Base): Promise<ReplacedJournal | undefined> {
    return this.#betweenWrites(() => {
      const hadLines = this.hasLines;
      const { path } = this.#file;
      // It keeps the versions of the lines elsewhere, so they go after that.
      const base = exchange();
      const aside = hadLines && existsSync(path) ? setAside(path) : undefined;
      this.#file.remove();
      this.#base = base;
      this.#last = this.#base.v;
      this.#lines = [];
      this.#length = 0;
      const pending = this.#pending.splice(0);
      if (!hadLines) return undefined;
      return {
        path: aside,
        discard() {
          if (aside !== undefined) rmSync(aside, { force: true });
          for (const { resolve } of pending) resolve();
        },
        refuse(reason) {
          for (const { reject } of pending) reject(reason);
        },
      };
    });
  }

  /** The same, synchronously; false, without effect, if there are lines or a write is in progress. */
  restartNow(exchange: () => Base): boolean {
    if (this.hasLines || this.#running) return false;
    this.#file.remove();
    this.#base = exchange();
    this.#last = this.#base.v;
    return true;
  }

  /** Writes all pending lines in this turn; false, without effect, where they have to wait for the file. */
  appendNow(): boolean {
    if (this.#isWriting || !this.#file.canAppendNow) return false;
    void this.#write(true);
    return true;
  }

  /** The same as `note`, in this turn, without waiting for the disk. If it cannot be written, it counts as a refusal. */
  noteNow(note: FoldNote): void {
    // Refused like any other line.
    this.#append({ version: note.v, text: encodeLine(JSON.stringify(note)) }, note.v).catch(() => undefined);
    if (!this.appendNow()) throw new Error("the journal waits for the disk");
  }

  /** The same as `fold`, in the turn of `noteNow`. */
  foldNow(base: Base): void {
    this.#fold(base, this.#linesAfter(base));
  }

  close(): void {
    this.#file.close();
  }

  #append(line: Line, after: number, undo?: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ line, after, undo, resolve, reject });
      this.#length += lengthOf(line.text);
      this.#running ??= this.#run();
    });
  }

  /** Runs a task while no write is in progress. */
  #betweenWrites<T>(task: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#tasks.push(() => {
        try {
          const result = task();
          if (result instanceof Promise) return result.then(resolve, reject);
          resolve(result);
        } catch (thrown) {
          reject(thrown);
        }
      });
      this.#running ??= this.#run();
    });
  }

  async #run(): Promise<void> {
    // Requests that arrive together share one write.
    await nextTurn();
    while (this.#pending.length > 0 || this.#tasks.length > 0) {
      for (const task of this.#tasks.splice(0)) {
        const running = task();
        if (running) await running;
      }
      if (this.#pending.length > 0) await this.#write();
    }
    this.#running = undefined;
  }

  /** Writes the pending lines. Their changes are undone if that fails. */
  async #write(isNow = false): Promise<void> {
    const batch = this.#pending;
    this.#pending = [];
    this.#isWriting = true;
    try {
      const lines = withGaps(batch, this.#last);
      const text = textOfAll(lines);
      const begin = (): string[] => textsOf(this.#base, this.#lines);
      const appending = isNow ? this.#file.appendNow(text, begin) : this.#file.append(text, begin);
      if (appending) await appending;
      for (const line of lines) {
        this.#lines.push(line);
        this.#last = Math.max(this.#last, line.version);
      }
      for (const { resolve } of batch) resolve();
    } catch (thrown) {
      // Later lines build on the refused ones, so they are refused, too.
      const refused = [...batch, ...this.#pending];
      this.#pending = [];
      this.#length = totalLength(this.#lines);
      this.refusals++;
      this.#file.cutOff();
      for (const { undo } of refused.toReversed()) undo?.();
      for (const { reject } of refused) reject(thrown);
    } finally {
      this.#isWriting = false;
    }
  }
}

/** Adds a note for each gap in the versions, so that a gap differs from a missing line. */
function withGaps(batch: readonly PendingLine[], from: number): Line[] {
  const lines: Line[] = [];
  let last = from;
  for (const { line, after } of batch) {
    if (after > last) {
      const gap: GapNote = { v: after, since: last };
      lines.push({ version: after, text: encodeLine(JSON.stringify(gap)) });
    }
    lines.push(line);
    last = Math.max(last, line.version);
  }
  return lines;
}

/** The texts of a whole journal file, header included. */
function textsOf(base: Base, lines: readonly Line[]): string[] {
  const header: Header = { standin: 1, v: base.v, base: base.hashes };
  return [encodeLine(JSON.stringify(header)), ...lines.flatMap(({ text }) => text)];
}
