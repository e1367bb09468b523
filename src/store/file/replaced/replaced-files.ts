import { lstatSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { realPath } from "../../../base/files/atomic-write.ts";
import { retryWhileHeld } from "../../../base/files/retry-while-held.ts";
import { fingerprintFrom, reliableFingerprint } from "../fingerprint.ts";
import type { KnownFiles } from "../known-files.ts";
import type { Layout } from "../layout.ts";
import type { ObservedFile } from "../read-data-file.ts";
import { hashOf, holdFile, isChanged, isPresent, LinkedFile, linkUnlessThere, type ReplacedFile } from "./held-file.ts";
import { identityOf, openForWriting } from "./open-writers.ts";
import { createSecondName, type Fate, fileKey, listSecondNames, shortName } from "./second-names.ts";

/** The documented two seconds, and a margin for a program that ends in their last moment. */
const WATCHED_MS = 2200;
/** A program that wrote within this time is likely to go on. */
const QUIET_MS = 100;
/** How soon to look again at an edit that is not whole yet. */
const PAUSED_MS = 500;
/** How often `close` checks whether a program has closed a file. */
const POLL_MS = 20;
/** Above this, replaced files without an open writer are dropped at once. */
const MAX_BYTES = 256 * 1024 * 1024;

interface Watched extends ReplacedFile {
  readonly size: number;
  readonly dueAt: number;
  readonly endsAt: number;
}

/** New content that is to take the name of a data file. */
export interface Placement {
  readonly file: string;
  /** The file to replace; undefined when there is none. */
  readonly replaced: ReplacedFile | undefined;
  readonly temporary: string;
  readonly target: string;
}

export interface ReplacedFilesOptions {
  readonly layout: Layout;
  readonly known: KnownFiles;
  /** Requests a call of `settle` when no other operation uses the files. */
  readonly wake: () => void;
  /** Whether a changed file needs no more content: false while a program seems to be in the middle of writing it. */
  readonly isWhole: (replaced: ReplacedFile) => boolean;
  /** Called with an outside version that exists only as a replaced file, and must be named or loaded. */
  readonly onOutside: (replaced: ReplacedFile) => Promise<void> | void;
}

/**
 * The files that saves have replaced. An outside program may have opened one before and write to it afterwards, so each
 * stays for a while under a second name in our folder, and is checked again.
 */
export class ReplacedFiles {
  readonly #options: ReplacedFilesOptions;
  #watched: Watched[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ReplacedFilesOptions) {
    this.#options = options;
  }

  /** Holds a file that is about to be replaced; undefined when there is none. */
  hold(file: string): ReplacedFile | undefined {
    const expected = this.#options.known.expected(file);
    const held = holdFile(realPath(this.#pathOf(file)), this.#secondName(file, expected));
    return held && { held, file, expected };
  }

  /** Moves the current file away; undefined when there is none. */
  take(file: string, fate: Fate = "former"): (ReplacedFile & { readonly held: LinkedFile }) | undefined {
    const expected = this.#options.known.expected(file);
    const secondName = this.#secondName(file, expected, fate);
    try {
      renameSync(realPath(this.#pathOf(file)), secondName);
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw thrown;
    }
    return { held: new LinkedFile(secondName), file, expected };
  }

  /**
   * Replaces a file in two steps, so that no version another program puts there can be lost: moves the current file away,
   * and links the new one only if the name is free. False when the current file was not the expected one; then that is
   * back in place, or passed to `keepOutside` if an even newer one has its name. For an instant there is no file; the next
   * start after a crash in that instant puts it back.
   */
  exchange(
    { file, replaced, temporary, target }: Placement,
    keepOutside: (file: string, replaced: ReplacedFile) => void,
  ): boolean {
    const taken = this.take(file);
    if (taken && taken.held.identity() !== replaced?.held.identity()) {
      if (!taken.held.putBack(target)) keepOutside(file, taken);
      return false;
    }
    let isPlaced: boolean;
    try {
      isPlaced = linkUnlessThere(temporary, target);
    } catch (thrown) {
      if (taken) {
        taken.held.putBack(target);
        throw thrown;
      }
      // This file system does not support links.
      renameSync(temporary, target);
      return true;
    }
    // `replaced` still holds it under another name.
    taken?.held.drop();
    if (isPlaced) retryWhileHeld(() => rmSync(temporary, { force: true }));
    return isPlaced;
  }

  /** Removes a data file, and watches it like a replaced one. */
  remove(file: string): void {
    const path = this.#pathOf(file);
    // First, so that no moment of a crash makes an earlier version of it look like the rest of a lost file.
    for (const { held, expected } of this.#watched.filter((one) => one.file === file && isPresent(one))) {
      if (held.isNamed) held.keepAs(this.#secondName(file, expected, "removed"));
    }
    let taken: ReplacedFile | undefined;
    try {
      // Of a symbolic link, only the link goes.
      if (!lstatSync(path).isSymbolicLink()) taken = this.take(file, "removed");
    } catch {
      // It does not exist or cannot be moved.
    }
    if (taken) this.#watch(taken);
    else rmSync(path, { force: true });
  }

  /** Whether the held file, if any, is the one that has the name now. */
  isCurrent(file: string, replaced: ReplacedFile | undefined): boolean {
    const found = statSync(this.#pathOf(file), { throwIfNoEntry: false, bigint: true });
    return (found && identityOf(found)) === replaced?.held.identity();
  }

  /** Ends a `hold`: watches the file if it was replaced, and only lets go of it if it was not. */
  release(replaced: ReplacedFile): void {
    const { held, isKept } = replaced;
    if (isKept) return;
    if (this.isCurrent(replaced.file, replaced)) held.drop();
    else this.#watch(replaced);
  }

  #watch(replaced: ReplacedFile): void {
    const now = performance.now();
    const endsAt = now + WATCHED_MS;
    const { size } = replaced.held.stat();
    this.#watched.push({ ...replaced, isReplaced: true, size, dueAt: isChanged(replaced) ? now : endsAt, endsAt });
    this.#wait();
    if (this.#watched.reduce((sum, one) => sum + one.size, 0) > MAX_BYTES) this.freeSpace();
  }

  /** Adopts the replaced files that a killed process left. */
  async adopt(): Promise<void> {
    const { layout } = this.#options;
    const files = new Map(layout.files().map((file) => [fileKey(file), file]));
    const adopted = new Set<string>();
    for (const { path, key, hash, isRemoved } of listSecondNames(layout.anchor)) {
      const held = new LinkedFile(path);
      const file = files.get(key) ?? layout.fileOf(basename(layout.anchor));
      // Taken before reading, so that a later change gives another fingerprint.
      const fingerprint = reliableFingerprint(held.stat());
      const identity = held.identity();
      const expected = { hash: hashOf(held), fingerprint };
      const isLost = !files.has(key);
      const replaced: ReplacedFile = { held, file, expected, isReplaced: true, isLost };
      // The process ended before it replaced the file, or between two steps that leave two second names.
      if (this.isCurrent(file, replaced) || adopted.has(identity)) held.drop();
      else if ((!isLost || isRemoved) && shortName(expected.hash) === hash) this.#watch(replaced);
      else await this.#options.onOutside(replaced);
      adopted.add(identity);
    }
  }

  /** Checks the files that are due. */
  async settle(): Promise<void> {
    const now = performance.now();
    const due = this.#take(({ dueAt }) => dueAt <= now);
    for (const one of due) {
      try {
        await this.#settleOne(one, now);
      } catch {
        // It cannot be read now, or is gone; then the next check skips it.
        this.#watched.push({ ...one, dueAt: now + QUIET_MS });
      }
    }
    this.#wait();
  }

  async #settleOne(one: Watched, now: number): Promise<void> {
    const { held, expected, endsAt } = one;
    const found = held.stat();
    const quietMs = Date.now() - found.mtimeMs;
    if (isChanged(one)) {
      const isRecent = (ms: number): boolean => quietMs >= 0 && quietMs < ms;
      // A file without a name is copied, and the copy must have its final content.
      if (isRecent(held.isNamed ? QUIET_MS : WATCHED_MS)) this.#watched.push({ ...one, dueAt: now + QUIET_MS });
      else if (held.isNamed && !this.#options.isWhole(one) && (isRecent(WATCHED_MS) || isOpen(one))) {
        this.#watched.push({ ...one, dueAt: now + PAUSED_MS });
      }
      // If the disk refuses, the file stays and `settle` tries again.
      else await this.#options.onOutside(one);
    } else if (fingerprintFrom(found) === expected.fingerprint || quietMs < 0 || quietMs > WATCHED_MS) held.drop();
    // A program has begun to write the same content again.
    else this.#watched.push({ ...one, dueAt: now + WATCHED_MS, endsAt: endsAt + WATCHED_MS });
  }

  /** Stops checking; the watched files stay for the next process. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Frees disk space: drops the files that are unchanged and have no open writer. */
  freeSpace(): void {
    const open = this.#openOnes();
    for (const { held } of this.#take((one) => !open.has(one) && !isChanged(one))) held.drop();
  }

  /** Ends the watch early, but waits for programs that have a replaced file open. */
  async close(): Promise<void> {
    this.stop();
    for (;;) {
      const open = this.#openOnes();
      const now = performance.now();
      const done = this.#take((one) => !open.has(one) || one.endsAt <= now || (one.held.isNamed && isChanged(one)));
      for (const one of done) {
        if (isChanged(one)) await this.#options.onOutside(one);
        else one.held.drop();
      }
      if (this.#watched.length === 0) return;
      await sleep(POLL_MS);
    }
  }

  /** Stops watching the files that `isDone` selects, and returns them. Drops files that were removed. */
  #take(isDone: (one: Watched) => boolean): Watched[] {
    const taken: Watched[] = [];
    this.#watched = this.#watched.filter((one) => {
      if (!isPresent(one)) return false;
      if (!isDone(one)) return true;
      taken.push(one);
      return false;
    });
    return taken;
  }

  #openOnes(): Set<Watched> {
    const identities = new Map(this.#watched.filter(isPresent).map((one) => [one.held.identity(), one]));
    const open = identities.size === 0 ? [] : openForWriting(new Set(identities.keys()));
    return new Set([...open].map((identity) => identities.get(identity) as Watched));
  }

  #wait(): void {
    if (this.#watched.length === 0) return;
    clearTimeout(this.#timer);
    const dueAt = Math.min(...this.#watched.map((one) => one.dueAt));
    this.#timer = setTimeout(this.#options.wake, Math.max(1, dueAt - performance.now()));
    this.#timer.unref();
  }

  #pathOf(file: string): string {
    return join(this.#options.layout.folder, file);
  }

  #secondName(file: string, { hash }: ObservedFile, fate: Fate = "former"): string {
    return createSecondName(this.#options.layout.anchor, `${fileKey(file)}-${shortName(hash)}`, fate);
  }
}

/** Whether a program has it open for writing. */
function isOpen({ held }: ReplacedFile): boolean {
  return openForWriting(new Set([held.identity()])).size > 0;
}
