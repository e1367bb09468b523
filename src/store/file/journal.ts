import {
  closeSync,
  existsSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncate,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  write,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { encodeLine, type FoldNote, type Hashes, type Header } from "./journal-format.ts";
import { makeOwnFolder, ownFile, setAside } from "./own-folder.ts";

const writeBytes = promisify(write);
const truncate = promisify(ftruncate);
const flushToDisk = promisify(fdatasync);

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

export interface JournalOptions {
  readonly source: string;
  readonly base: Base;
  /** Also reach the disk before a line counts as kept, for power loss. */
  readonly toDisk: boolean;
  /** Called before a journal is made: the right moment to see that the data file is still ours. */
  readonly onCreate: () => void;
  /** Called, before anyone who waits is told, when lines cannot be written. */
  readonly onRefused: () => void;
}

/**
 * The append side of the journal. Lines that arrive while others are being written share the next write. The file exists
 * only while it holds something; lines that no data file holds yet are also kept in memory, so that the journal can be
 * written anew when it is folded or when somebody removed it.
 */
export class Journal {
  readonly path: string;
  readonly #options: JournalOptions;
  #base: Base;
  #lines: Line[] = [];
  #waiting: Waiting[] = [];
  #tasks: (() => void)[] = [];
  #running: Promise<void> | undefined;
  #fd: number | undefined;
  /** Where the next line goes: everything before it is sound. */
  #size = 0;
  #hasGarbage = false;
  /** Counts how often lines were refused; whoever took along what they say can see that it was taken back. */
  refusals = 0;

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#base = options.base;
    this.path = ownFile(options.source, "journal");
  }

  /** Goes on with the lines of an earlier process; `base` is that of its header. */
  resume(lines: readonly Line[]): void {
    this.#lines = [...lines];
  }

  /** Whether there is anything that no data file holds. */
  get hasLines(): boolean {
    return this.#lines.length > 0 || this.#waiting.length > 0;
  }

  /** Resolves when the operating system has the line, so that the end of this process cannot lose it. */
  append(version: number, json: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ version, text: encodeLine(json), resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Notes, on the disk, what the data files are about to become; called before they do. */
  async note(note: FoldNote): Promise<void> {
    await this.append(note.v, JSON.stringify(note));
    if (this.#fd !== undefined) await flushToDisk(this.#fd);
  }

  /** The data files have become `base`: the lines that they hold go. */
  fold(base: Base): Promise<void> {
    return this.#betweenWrites(() => {
      this.#lines = this.#lines.filter((line) => line.version > base.v);
      this.#base = base;
      if (this.#lines.length === 0) this.#remove();
      else this.#rewrite();
    });
  }

  /**
   * Starts anew on other data, which `exchange` puts in place at a moment without a write under way. Gives back what the
   * journal held until then, if anything; that stays on the disk until it is told to go.
   */
  restart(exchange: () => Base): Promise<Former | undefined> {
    return this.#betweenWrites(() => {
      const hadLines = this.hasLines;
      const path = hadLines && existsSync(this.path) ? setAside(this.path) : undefined;
      this.#remove();
      this.#base = exchange();
      this.#lines = [];
      const waiting = this.#waiting.splice(0);
      if (!hadLines) return undefined;
      return {
        path,
        discard() {
          if (path !== undefined) rmSync(path, { force: true });
          for (const { resolve } of waiting) resolve();
        },
        refuse(reason) {
          for (const { reject } of waiting) reject(reason);
        },
      };
    });
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
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
    // Writes of the same turn join the first one.
    await Promise.resolve();
    while (this.#waiting.length > 0 || this.#tasks.length > 0) {
      for (const task of this.#tasks.splice(0)) task();
      if (this.#waiting.length === 0) continue;
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        await this.#write(batch);
        for (const { version, text, resolve } of batch) {
          this.#lines.push({ version, text });
          resolve();
        }
      } catch (thrown) {
        // Later lines build on the refused ones, so they are refused with them.
        const refused = [...batch, ...this.#waiting];
        this.#waiting = [];
        this.refusals++;
        this.#cutOff();
        this.#options.onRefused();
        for (const { reject } of refused) reject(thrown);
      }
    }
    this.#running = undefined;
  }

  async #write(batch: readonly Line[]): Promise<void> {
    const fd = this.#open();
    if (this.#hasGarbage) await truncate(fd, this.#size);
    this.#hasGarbage = true;
    const bytes = Buffer.from(batch.map((line) => line.text).join(""));
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await writeBytes(fd, bytes, done, bytes.length - done, this.#size + done);
      done += bytesWritten;
    }
    if (this.#options.toDisk) await flushToDisk(fd);
    this.#size += bytes.length;
    this.#hasGarbage = false;
  }

  /** What a refused write left behind may be whole lines, and those must not come back after a crash. */
  #cutOff(): void {
    try {
      if (this.#hasGarbage && this.#fd !== undefined) ftruncateSync(this.#fd, this.#size);
      this.#hasGarbage = false;
    } catch {
      // The next write tries again.
    }
  }

  #open(): number {
    // A removed file still takes what is written to it, and loses it: notice, and write the journal anew.
    if (this.#fd !== undefined && fstatSync(this.#fd).nlink > 0) return this.#fd;
    this.#rewrite();
    return this.#fd as unknown as number;
  }

  /** Puts a journal with the present header and lines in place of whatever is there. */
  #rewrite(): void {
    this.close();
    makeOwnFolder(this.#options.source);
    this.#options.onCreate();
    const temporary = `${this.path}.tmp`;
    const header: Header = { standin: 1, v: this.#base.v, base: this.#base.hashes };
    const texts = [encodeLine(JSON.stringify(header)), ...this.#lines.map((line) => line.text)];
    const bytes = Buffer.concat(texts.map((text) => Buffer.from(text)));
    const fd = openSync(temporary, "w", 0o600);
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
      if (this.#options.toDisk) fdatasyncSync(fd);
      renameSync(temporary, this.path);
      if (this.#options.toDisk) syncFolders(this.path);
    } catch (thrown) {
      closeSync(fd);
      rmSync(temporary, { force: true });
      throw thrown;
    }
    this.#fd = fd;
    this.#size = bytes.length;
    this.#hasGarbage = false;
  }

  #remove(): void {
    this.close();
    rmSync(this.path, { force: true });
  }
}

/** A name is on the disk only when its folder is; our own folder may be new in its turn. */
function syncFolders(path: string): void {
  for (const folder of [dirname(path), dirname(dirname(path))]) {
    const fd = openSync(folder, "r");
    try {
      fsyncSync(fd);
    } catch {
      // Not on this file system.
    } finally {
      closeSync(fd);
    }
  }
}
