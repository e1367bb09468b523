import {
  closeSync,
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
import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import { retryWhileHeld } from "../../../base/files/retry-while-held.ts";
import { makeOwnFolder, ownFile } from "../own-folder.ts";
import type { LineText } from "./long-line.ts";
import { LARGE_TEXT, piecesOf } from "./pieces.ts";

const writeBytes = promisify(write);
const truncate = promisify(ftruncate);
const flushToDisk = promisify(fdatasync);

/** The least characters of a large text that are written together. */
const CHUNK_LENGTH = 256 * 1024;

export interface JournalFileOptions {
  readonly source: string;
  /** Flushes each text to the disk before it counts as written, so that it survives a power loss. */
  readonly toDisk: boolean;
  /** Called before the file is created: the moment to check that the data file is still ours. */
  readonly onCreate: () => void;
}

/** The journal's file: appends texts, or replaces the file as a whole. */
export class JournalFile {
  readonly path: string;
  readonly #options: JournalFileOptions;
  #fd: number | undefined;
  /** The offset of the next text; everything before it is valid. */
  #size = 0;
  #hasGarbage = false;

  constructor(options: JournalFileOptions) {
    this.#options = options;
    this.path = ownFile(options.source, "journal");
  }

  /**
   * Returns when the operating system has the text, or a promise of it. `begin` returns the initial texts, should there be
   * no file.
   */
  append(text: LineText, begin: () => readonly string[]): Promise<void> | undefined {
    if (this.canAppendNow && isShort(text)) return void this.appendNow(text, begin);
    return this.#appendLater(this.#open(begin), text);
  }

  /** Whether `appendNow` works: nothing has to be repaired first, or flushed. */
  get canAppendNow(): boolean {
    return !this.#hasGarbage && !this.#options.toDisk;
  }

  /** Returns when the operating system has the text, however long it is. */
  appendNow(text: LineText, begin: () => readonly string[]): void {
    const fd = this.#open(begin);
    this.#hasGarbage = true;
    this.#size += writeNow(fd, Buffer.from(typeof text === "string" ? text : text.join("")), this.#size);
    this.#hasGarbage = false;
  }

  async #appendLater(fd: number, text: LineText): Promise<void> {
    if (this.#hasGarbage) await truncate(fd, this.#size);
    this.#hasGarbage = true;
    const size = isShort(text) ? writeNow(fd, Buffer.from(text), this.#size) : await writeLarge(fd, text, this.#size);
    if (this.#options.toDisk) await flushToDisk(fd);
    this.#size += size;
    this.#hasGarbage = false;
  }

  /** Truncates the remains of a failed `append`: they may be whole lines, which must not be replayed after a crash. */
  cutOff(): void {
    try {
      if (this.#hasGarbage && this.#fd !== undefined) ftruncateSync(this.#fd, this.#size);
      this.#hasGarbage = false;
    } catch {
      // The next write tries again.
    }
  }

  async flush(): Promise<void> {
    if (this.#fd !== undefined) await flushToDisk(this.#fd);
  }

  /** Replaces the file, if any, by one with these texts; returns its descriptor. */
  replace(texts: readonly string[]): number {
    this.close();
    const fd = this.#create();
    try {
      const size = writeNow(fd, Buffer.concat(texts.map((text) => Buffer.from(text))), 0);
      if (this.#options.toDisk) fdatasyncSync(fd);
      this.#takeOver(fd, size);
      return fd;
    } catch (thrown) {
      this.#drop(fd);
      throw thrown;
    }
  }

  /** Does the same with pauses. Until it is done, the file has its former content, and must not be written to. */
  async replaceLarge(texts: readonly string[]): Promise<void> {
    const fd = this.#create();
    try {
      let size = 0;
      for (const text of texts) {
        size += isShort(text) ? writeNow(fd, Buffer.from(text), size) : await writeLarge(fd, text, size);
      }
      if (this.#options.toDisk) await flushToDisk(fd);
      this.close();
      this.#takeOver(fd, size);
    } catch (thrown) {
      this.#drop(fd);
      throw thrown;
    }
  }

  get #temporary(): string {
    return `${this.path}.tmp`;
  }

  #create(): number {
    makeOwnFolder(this.#options.source);
    this.#options.onCreate();
    return openSync(this.#temporary, "w", 0o600);
  }

  #takeOver(fd: number, size: number): void {
    retryWhileHeld(() => renameSync(this.#temporary, this.path));
    if (this.#options.toDisk) syncFolders(this.path);
    this.#fd = fd;
    this.#size = size;
    this.#hasGarbage = false;
  }

  #drop(fd: number): void {
    closeSync(fd);
    rmSync(this.#temporary, { force: true });
  }

  remove(): void {
    this.close();
    retryWhileHeld(() => rmSync(this.path, { force: true }));
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #open(begin: () => readonly string[]): number {
    // Writes to a removed file succeed, but are lost with it: create it again.
    return this.#fd === undefined || fstatSync(this.#fd).nlink === 0 ? this.replace(begin()) : this.#fd;
  }
}

/** Writes synchronously: handing a few lines to another thread costs more than writing them. */
function writeNow(fd: number, bytes: Buffer, position: number): number {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(fd, bytes, done, bytes.length - done, position + done);
  }
  return bytes.length;
}

function isShort(text: LineText): text is string {
  return typeof text === "string" && text.length <= LARGE_TEXT;
}

/** Writes in chunks, so that other requests run in between. Returns the number of bytes. */
async function writeLarge(fd: number, text: LineText, position: number): Promise<number> {
  let size = 0;
  for (const chunk of chunksOf(typeof text === "string" ? piecesOf(text) : text)) {
    // This turn has already applied a large change, or converted another chunk.
    await nextTurn();
    const bytes = Buffer.from(chunk);
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await writeBytes(fd, bytes, done, bytes.length - done, position + size + done);
      done += bytesWritten;
    }
    size += bytes.length;
  }
  return size;
}

/** A change of a few hundred records stays one chunk: one append, as every other change. */
function* chunksOf(pieces: Iterable<string>): Generator<string> {
  let chunk = "";
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = "";
  }
  yield chunk;
}

/** Flushes the folder and its parent: a name is on the disk only when its folder is, and our folder may be new. */
function syncFolders(path: string): void {
  // Windows flushes files only.
  if (process.platform === "win32") return;
  for (const folder of [dirname(path), dirname(dirname(path))]) {
    const fd = openSync(folder, "r");
    try {
      fsyncSync(fd);
    } catch {
      // This file system does not support it.
    } finally {
      closeSync(fd);
    }
  }
}
