import { lstatSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { realPath } from "../../../atomic-write.ts";
import { firmLook, lookFrom, NO_LOOK } from "../fingerprint.ts";
import type { KnownFiles } from "../known-files.ts";
import { ABSENT, type Layout, type Seen } from "../layout.ts";
import { identityOf, openForWriting } from "./open-writers.ts";
import { type Former, hashOf, holdFormer, LinkedFormer } from "./replaced-file.ts";
import { fileKey, formerNames, formerPath, shortHash } from "./second-names.ts";

/** Promised are two seconds; a program that ends in the last moment of them must be seen, too. */
const WATCHED_MS = 2200;
/** A program that has just written is likely to go on. */
const QUIET_MS = 100;
/** How often a stop looks whether a program has come to its end. */
const POLL_MS = 20;
/** Above this, replaced files without an open writer are dropped at once. */
const MAX_BYTES = 256 * 1024 * 1024;

/** A file that is being replaced. */
export interface Replaced {
  readonly former: Former;
  readonly file: string;
  /** Its expected content, as long as no outside program writes to it. */
  expected: Seen;
  /** Something else is in its place by now. */
  readonly isReplaced?: boolean;
  /** A killed process left it, and no data file belongs to it: it may be the only copy of one. */
  readonly isLost?: boolean;
  /** It was given a name that people find, and stays. */
  isKept?: boolean;
}

interface Watched extends Replaced {
  readonly size: number;
  readonly dueAt: number;
  readonly endsAt: number;
}

export interface FormersOptions {
  readonly layout: Layout;
  readonly known: KnownFiles;
  /** Asks for a call of `settle`, once nothing else is done with the files. */
  readonly wake: () => void;
  /** A version from outside is only there any more: it must be given a name, or another place. */
  readonly onOutside: (replaced: Replaced) => Promise<void> | void;
}

/**
 * The files that saves have replaced. An outside program may have opened one before that and write to it afterwards, so
 * each stays for a while under a second name in our folder, and is looked at again.
 */
export class Formers {
  readonly #options: FormersOptions;
  #watched: Watched[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: FormersOptions) {
    this.#options = options;
  }

  /** Keeps the file that is about to be replaced; undefined when there is none. */
  hold(file: string): Replaced | undefined {
    const expected = this.#expected(file);
    const former = holdFormer(realPath(this.#pathOf(file)), this.#secondName(file, expected));
    return former && { former, file, expected };
  }

  /** Moves a file away, whatever it is by now; undefined when there is none. */
  take(file: string): (Replaced & { readonly former: LinkedFormer }) | undefined {
    const expected = this.#expected(file);
    const secondName = this.#secondName(file, expected);
    try {
      renameSync(realPath(this.#pathOf(file)), secondName);
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw thrown;
    }
    return { former: new LinkedFormer(secondName), file, expected };
  }

  /** Takes a file away that is to be removed, whatever it holds by now. */
  remove(file: string): void {
    const path = this.#pathOf(file);
    let taken: Replaced | undefined;
    try {
      // A link goes, what it leads to stays.
      if (!lstatSync(path).isSymbolicLink()) taken = this.take(file);
    } catch {
      // Not there, or it cannot be moved.
    }
    if (taken) this.#watch(taken);
    else rmSync(path, { force: true });
  }

  /** Whether what is held, if anything, is what is there. */
  isCurrent(file: string, replaced: Replaced | undefined): boolean {
    const found = statSync(this.#pathOf(file), { throwIfNoEntry: false });
    return (found && identityOf(found)) === (replaced && identityOf(replaced.former.stat()));
  }

  /** It has been replaced, or it stays after all. */
  release(replaced: Replaced): void {
    const { former, isKept } = replaced;
    if (isKept) return;
    if (this.isCurrent(replaced.file, replaced)) former.drop();
    else this.#watch(replaced);
  }

  /** It has been replaced. */
  #watch(replaced: Replaced): void {
    const now = performance.now();
    const endsAt = now + WATCHED_MS;
    const { size } = replaced.former.stat();
    this.#watched.push({ ...replaced, isReplaced: true, size, dueAt: isChanged(replaced) ? now : endsAt, endsAt });
    this.#wait();
    if (this.#watched.reduce((sum, one) => sum + one.size, 0) > MAX_BYTES) this.letGo();
  }

  /** Takes over what a killed process left. */
  async adopt(): Promise<void> {
    const { layout } = this.#options;
    const files = new Map(layout.files().map((file) => [fileKey(file), file]));
    const adopted = new Set<string>();
    for (const { path, key, hash } of formerNames(layout.anchor)) {
      const former = new LinkedFormer(path);
      const file = files.get(key) ?? layout.fileOf(basename(layout.anchor));
      // Taken before reading: a later change then shows as another look.
      const found = former.stat();
      const look = firmLook(found);
      const expected = { hash: hashOf(former), look };
      const isLost = !files.has(key);
      const replaced: Replaced = { former, file, expected, isReplaced: true, isLost };
      // It was never replaced, or has two such names: the process ended right before the next step.
      if (this.isCurrent(file, replaced) || adopted.has(identityOf(found))) former.drop();
      else if (!isLost && shortHash(expected.hash) === hash) this.#watch(replaced);
      else await this.#options.onOutside(replaced);
      adopted.add(identityOf(found));
    }
  }

  /** Looks again at those that are due. */
  async settle(): Promise<void> {
    const now = performance.now();
    const due = this.#take(({ dueAt }) => dueAt <= now);
    for (const one of due) {
      try {
        await this.#settleOne(one, now);
      } catch {
        // It cannot be looked at now, or is gone: then the next look passes over it.
        this.#watched.push({ ...one, dueAt: now + QUIET_MS });
      }
    }
    this.#wait();
  }

  async #settleOne(one: Watched, now: number): Promise<void> {
    const { former, expected, endsAt } = one;
    const found = former.stat();
    const quietMs = Date.now() - found.mtimeMs;
    if (isChanged(one)) {
      // What has no name of its own is copied, and a copy must be of the end.
      const isGoingOn = quietMs >= 0 && quietMs < (former.isNamed ? QUIET_MS : WATCHED_MS);
      if (isGoingOn) this.#watched.push({ ...one, dueAt: now + QUIET_MS });
      // Where the disk refuses, it stays where it is, and is tried again.
      else await this.#options.onOutside(one);
    } else if (lookFrom(found) === expected.look || quietMs < 0 || quietMs > WATCHED_MS) former.drop();
    // Somebody has begun to write the same again.
    else this.#watched.push({ ...one, dueAt: now + WATCHED_MS, endsAt: endsAt + WATCHED_MS });
  }

  /** Looks at nothing any more; what is watched stays for the next process. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Makes room: drops those that are unchanged and have no open writer. */
  letGo(): void {
    const open = this.#openOnes();
    for (const { former } of this.#take((one) => !open.has(one) && !isChanged(one))) former.drop();
  }

  /** Ends the watch without waiting for its end: only a program that has a replaced file open is waited for. */
  async close(): Promise<void> {
    this.stop();
    for (;;) {
      const open = this.#openOnes();
      const now = performance.now();
      const done = this.#take((one) => !open.has(one) || one.endsAt <= now || (one.former.isNamed && isChanged(one)));
      for (const one of done) {
        if (isChanged(one)) await this.#options.onOutside(one);
        else one.former.drop();
      }
      if (this.#watched.length === 0) return;
      await sleep(POLL_MS);
    }
  }

  /** No longer watches those that `goes` says yes to, and gives them back; those that somebody removed go in silence. */
  #take(goes: (one: Watched) => boolean): Watched[] {
    const taken: Watched[] = [];
    this.#watched = this.#watched.filter((one) => {
      if (!isThere(one)) return false;
      if (!goes(one)) return true;
      taken.push(one);
      return false;
    });
    return taken;
  }

  #openOnes(): Set<Watched> {
    const identities = new Map(this.#watched.filter(isThere).map((one) => [identityOf(one.former.stat()), one]));
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

  #expected(file: string): Seen {
    return this.#options.known.get(file) ?? { hash: ABSENT, look: NO_LOOK };
  }

  #pathOf(file: string): string {
    return join(this.#options.layout.folder, file);
  }

  #secondName(file: string, { hash }: Seen): string {
    return formerPath(this.#options.layout.anchor, file, hash);
  }
}

/** Whether two names were given to one file. */
export function isSame(one: Replaced, other: Replaced): boolean {
  return identityOf(one.former.stat()) === identityOf(other.former.stat());
}

/** Whether a replaced file holds anything else than it did. One that looks the same is not read. */
export function isChanged({ former, expected }: Replaced): boolean {
  return lookFrom(former.stat()) !== expected.look && hashOf(former) !== expected.hash;
}

function isThere({ former }: Replaced): boolean {
  try {
    former.stat();
    return true;
  } catch {
    return false;
  }
}
