import { existsSync, rmSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { setAside } from "../own-folder.ts";
import { JournalFile, type JournalFileOptions } from "./journal-file.ts";
import { encodeLine, type FoldNote, type GapNote, type Hashes, type Header } from "./journal-format.ts";

/** What the data files hold: their content, and the version up to which they hold every change. */
export interface Base {
  readonly v: number;
  readonly hashes: Hashes;
}

export interface Line {
  readonly version: number;
  readonly text: string;
}

interface Waiting extends Line {
  /** The version that must stand before it. */
  readonly after: number;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** What a journal held when it was started anew on other data. */
export interface Former {
  /** Where its lines are until somebody has them elsewhere; undefined when they were in no file. */
  readonly path: string | undefined;
  /** They are kept elsewhere now: the file goes, and whoever still waited is told. */
  discard(): void;
  /** They could not be kept elsewhere: the file stays, and whoever still waited is refused. */
  refuse(reason: unknown): void;
}

export interface JournalOptions extends JournalFileOptions {
  readonly base: Base;
  /** Called, before anyone who waits is told, when lines cannot be written. */
  readonly onRefused: () => void;
}

/**
 * The append side of the journal. Lines that arrive while others are being written share the next write. The file exists
 * only while it holds something; lines that no data file holds yet are also kept in memory, so that the journal can be
 * written anew when it is folded or when somebody removed it.
 */
export class Journal {
  readonly #file: JournalFile;
  readonly #onRefused: () => void;
  #base: Base;
  #lines: Line[] = [];
  /** The version that its lines lead to. */
  #last: number;
  #waiting: Waiting[] = [];
  #tasks: (() => void)[] = [];
  #running: Promise<void> | undefined;
  /** Counts how often lines were refused; whoever took along what they say can see that it was taken back. */
  refusals = 0;

  constructor({ base, onRefused, ...options }: JournalOptions) {
    this.#file = new JournalFile(options);
    this.#base = base;
    this.#last = base.v;
    this.#onRefused = onRefused;
  }

  /** Goes on with the lines of an earlier process; `base` is that of its header. */
  resume(lines: readonly Line[]): void {
    this.#lines = [...lines];
    this.#last = lines.reduce((last, { version }) => Math.max(last, version), this.#base.v);
  }

  /** Whether there is anything that no data file holds. */
  get hasLines(): boolean {
    return this.#lines.length > 0 || this.#waiting.length > 0;
  }

  /** Resolves when no write is under way any more. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  /** Resolves when the operating system has the line, so that the end of this process cannot lose it. */
  append(version: number, text: string): Promise<void> {
    return this.#append(version, text, version - 1);
  }

  /** Notes, on the disk, what the data files are about to become; called before they do. */
  async note(note: FoldNote): Promise<void> {
    await this.#append(note.v, encodeLine(JSON.stringify(note)), note.v);
    await this.#file.flush();
  }

  /** The data files have become `base`: the lines that they hold go. */
  fold(base: Base): Promise<void> {
    return this.#betweenWrites(() => {
      const lines = this.#lines.filter((line) => line.version > base.v);
      if (lines.length === 0) this.#file.remove();
      else this.#file.replace(textsOf(base, lines));
      // Only now: where the file stays as it was, so does what we think is in it.
      this.#lines = lines;
      this.#base = base;
      this.#last = Math.max(this.#last, base.v);
    });
  }

  /**
   * Starts anew on other data, which `exchange` puts in place at a moment without a write under way. Gives back what the
   * journal held until then, if anything; that stays on the disk until it is told to go.
   */
  restart(exchange: () => Base): Promise<Former | undefined> {
    return this.#betweenWrites(() => {
      const hadLines = this.hasLines;
      const { path } = this.#file;
      const aside = hadLines && existsSync(path) ? setAside(path) : undefined;
      this.#file.remove();
      this.#base = exchange();
      this.#last = this.#base.v;
      this.#lines = [];
      const waiting = this.#waiting.splice(0);
      if (!hadLines) return undefined;
      return {
        path: aside,
        discard() {
          if (aside !== undefined) rmSync(aside, { force: true });
          for (const { resolve } of waiting) resolve();
        },
        refuse(reason) {
          for (const { reject } of waiting) reject(reason);
        },
      };
    });
  }

  /** The same in this turn, where the journal holds nothing and nothing is under way; tells whether that is so. */
  restartNow(exchange: () => Base): boolean {
    if (this.hasLines || this.#running) return false;
    this.#file.remove();
    this.#base = exchange();
    this.#last = this.#base.v;
    return true;
  }

  close(): void {
    this.#file.close();
  }

  #append(version: number, text: string, after: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ version, text, after, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** A task that must not meet a write half done. */
  #betweenWrites<T>(task: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#tasks.push(() => {
        try {
          resolve(task());
        } catch (thrown) {
          reject(thrown);
        }
      });
      this.#running ??= this.#run();
    });
  }

  async #run(): Promise<void> {
    // Requests that have arrived together share one write.
    await nextTurn();
    while (this.#waiting.length > 0 || this.#tasks.length > 0) {
      for (const task of this.#tasks.splice(0)) task();
      if (this.#waiting.length === 0) continue;
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        const { lines, last } = withGaps(batch, this.#last);
        await this.#file.append(
          lines.map(({ text }) => text),
          () => textsOf(this.#base, this.#lines),
        );
        for (const line of lines) this.#lines.push(line);
        this.#last = last;
        for (const { resolve } of batch) resolve();
      } catch (thrown) {
        // Later lines build on the refused ones, so they are refused with them.
        const refused = [...batch, ...this.#waiting];
        this.#waiting = [];
        this.refusals++;
        this.#file.cutOff();
        this.#onRefused();
        for (const { reject } of refused) reject(thrown);
      }
    }
    this.#running = undefined;
  }
}

/** The lines as they are written: versions that nothing was kept for are named, so that a missing line is not taken for one. */
function withGaps(batch: readonly Waiting[], from: number): { lines: Line[]; last: number } {
  const lines: Line[] = [];
  let last = from;
  for (const { version, text, after } of batch) {
    if (after > last) {
      const gap: GapNote = { v: after, since: last };
      lines.push({ version: after, text: encodeLine(JSON.stringify(gap)) });
    }
    lines.push({ version, text });
    last = Math.max(last, version);
  }
  return { lines, last };
}

/** A journal from its header on, as it must stand in a file. */
function textsOf(base: Base, lines: readonly Line[]): string[] {
  const header: Header = { standin: 1, v: base.v, base: base.hashes };
  return [encodeLine(JSON.stringify(header)), ...lines.map(({ text }) => text)];
}
