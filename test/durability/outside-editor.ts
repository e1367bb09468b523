import {
  closeSync,
  fstatSync,
  ftruncateSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../compat/random.ts";
import type { CrashPlace } from "./crash-place.ts";
import { asFile } from "./place.ts";

/** A version of the data file saved by an editor: complete if both its marks are in one text. */
export interface Edit {
  readonly begin: string;
  readonly end: string;
  readonly how: "in place" | "by rename";
}

/**
 * An editor that saves its versions over the data file while a server uses it, slowly in place or by rename.
 * They keep what they overwrite, so that whatever is missing in the end was lost by the server.
 */
export class OutsideEditor {
  readonly #place: CrashPlace;
  readonly #random: Random;
  readonly edits: Edit[] = [];
  #count = 0;
  #befores = 0;
  #isStopped = false;
  #running: Promise<void> = Promise.resolve();
  /** The file that is half written right now. */
  inode: number | undefined;

  constructor(place: CrashPlace, random: Random) {
    this.#place = place;
    this.#random = random;
  }

  start(): void {
    this.#isStopped = false;
    this.#running = this.#run();
  }

  /** Ends after the current edit; no editor is killed in the middle of a save here. */
  stop(): Promise<void> {
    this.#isStopped = true;
    return this.#running;
  }

  async #run(): Promise<void> {
    await sleep(this.#random.int(0, 60));
    while (!this.#isStopped) {
      if (this.#random.chance(0.5)) await this.#saveByRename();
      else await this.#saveInPlace();
      await sleep(this.#random.int(0, 90));
    }
  }

  async #saveByRename(): Promise<void> {
    const { edit, text } = this.#version("by rename");
    const temporary = join(this.#place.folder, "editor.tmp");
    writeFileSync(temporary, text);
    if (!(await this.#onceThere(() => renameSync(this.#path, this.#beforePath()) ?? true))) return;
    // The server may have put its own there meanwhile, or have moved that away again.
    while (!this.#putInPlace(temporary)) await this.#onceThere(() => renameSync(this.#path, this.#beforePath()));
    this.edits.push(edit);
  }

  /**
   * Puts a new version where the former was moved away from; false where the server has put its own there meanwhile. A
   * rename over the file would overwrite that one unseen, and with it writes that only it holds.
   */
  #putInPlace(temporary: string): boolean {
    try {
      linkSync(temporary, this.#path);
      rmSync(temporary);
      return true;
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code === "EEXIST") return false;
      throw thrown;
    }
  }

  async #saveInPlace(): Promise<void> {
    const fd = await this.#onceThere(() => openSync(this.#path, "r+"));
    if (fd === undefined) return;
    try {
      this.inode = fstatSync(fd).ino;
      // Of the very file that it writes to, whatever has its name by now.
      writeFileSync(this.#beforePath(), readFileSync(fd), { flag: "wx" });
      // Like an editor that waits between opening and writing.
      if (this.#random.chance(0.5)) await sleep(this.#random.int(0, 150));
      const { edit, text } = this.#version("in place");
      const pieces = this.#random.int(1, 5);
      ftruncateSync(fd, 0);
      for (let at = 0, length = Math.ceil(text.length / pieces); at < text.length; at += length) {
        writeSync(fd, text.slice(at, at + length), at);
        if (pieces > 1) await sleep(this.#random.int(0, 60));
      }
      this.edits.push(edit);
    } finally {
      closeSync(fd);
      this.inode = undefined;
    }
  }

  /** Whether the data file itself is half written. */
  get isAtDataFile(): boolean {
    return this.inode !== undefined && this.inode === statSync(this.#path, { throwIfNoEntry: false })?.ino;
  }

  /** Next to an editor that saves by rename, the file is missing for an instant; after a kill in that, until the next start. */
  async #onceThere<T>(act: () => T): Promise<T | undefined> {
    for (;;) {
      try {
        return act();
      } catch (thrown) {
        if ((thrown as NodeJS.ErrnoException).code !== "ENOENT") throw thrown;
        if (this.#isStopped) return undefined;
        await sleep(1);
      }
    }
  }

  get #path(): string {
    return this.#place.file;
  }

  /** Where what an edit overwrites is kept. */
  #beforePath(): string {
    return join(this.#place.folder, `before-${this.#befores++}.json`);
  }

  #version(how: Edit["how"]): { edit: Edit; text: string } {
    const number = `${this.#random.int(0, 2 ** 31)}-${this.#count++}`;
    const edit = { begin: `begin-${number}`, end: `end-${number}`, how };
    const fill = "x".repeat(this.#random.int(0, 5000));
    const [begin, end] = [{ mark: edit.begin }, { mark: edit.end }];
    const isFolder = this.#place.source === "data";
    const records = [begin, { fill }, end].map((record, index) => ({ id: index + 1, ...record }));
    return { edit, text: asFile(isFolder ? records : { begin, notes: [], fill: { fill }, end }) };
  }
}
