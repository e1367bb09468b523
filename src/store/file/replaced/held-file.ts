import { createHash } from "node:crypto";
import {
  closeSync,
  fstatSync,
  linkSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { retryWhileHeld } from "../../../base/files/retry-while-held.ts";
import { fingerprintFrom } from "../fingerprint.ts";
import type { ObservedFile } from "../read-data-file.ts";
import { identityOf } from "./open-writers.ts";

/** A file that stays reachable after it was replaced, because a program that has it open may still write to it. */
export interface HeldFile {
  /** Whether it has a name of its own: then it can be renamed while a program writes to it. */
  readonly isNamed: boolean;
  stat(): Stats;
  /** The same for all names of one file, and for no other file. */
  identity(): string;
  read(): Buffer;
  /** Gives it a name that users find. A named file is renamed, so that open writers go on writing to it. */
  keepAs(path: string): void;
  drop(): void;
}

/** A file held by a second name, which outlives this process. */
export class LinkedFile implements HeldFile {
  readonly isNamed = true;
  #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  stat(): Stats {
    return statSync(this.#path);
  }

  identity(): string {
    return identityOf(statSync(this.#path, { bigint: true }));
  }

  read(): Buffer {
    return readFileSync(this.#path);
  }

  keepAs(path: string): void {
    retryWhileHeld(() => renameSync(this.#path, path));
    this.#path = path;
  }

  /** Gives it back its name; false when another file has that name now. */
  putBack(path: string): boolean {
    try {
      if (!linkUnlessThere(this.#path, path)) return false;
      this.drop();
    } catch {
      this.keepAs(path);
    }
    return true;
  }

  drop(): void {
    try {
      rmSync(this.#path, { force: true });
    } catch {
      // If it cannot be removed, the next start tries again.
    }
  }
}

/** A file held by an open descriptor, where it cannot have two names. */
class OpenFile implements HeldFile {
  readonly isNamed = false;
  readonly #fd: number;

  constructor(fd: number) {
    this.#fd = fd;
  }

  stat(): Stats {
    return fstatSync(this.#fd);
  }

  identity(): string {
    return identityOf(fstatSync(this.#fd, { bigint: true }));
  }

  read(): Buffer {
    const content = Buffer.alloc(this.stat().size);
    let length = 0;
    for (let read = -1; read !== 0 && length < content.length; length += read) {
      read = readSync(this.#fd, content, length, content.length - length, length);
    }
    return content.subarray(0, length);
  }

  keepAs(path: string): void {
    writeFileSync(path, this.read(), { flag: "wx" });
    this.drop();
  }

  drop(): void {
    closeSync(this.#fd);
  }
}

/** Holds the file at a path; undefined when there is none. */
export function holdFile(path: string, secondName: string): HeldFile | undefined {
  try {
    retryWhileHeld(() => linkSync(path, secondName));
    return new LinkedFile(secondName);
  } catch {
    // The file or our folder is gone, on another disk, or on a file system without links.
  }
  try {
    return new OpenFile(openSync(path, "r"));
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw thrown;
  }
}

/** Gives a file another name; false when a file has that name already. */
export function linkUnlessThere(from: string, to: string): boolean {
  try {
    retryWhileHeld(() => linkSync(from, to));
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw thrown;
  }
}

export function hashOf(file: HeldFile): string {
  return createHash("sha256").update(file.read()).digest("hex");
}

/** A data file that a save replaces or has replaced. */
export interface ReplacedFile {
  readonly held: HeldFile;
  readonly file: string;
  /** Its expected content, as long as no outside program writes to it. */
  expected: ObservedFile;
  /** Another file has its name now. */
  readonly isReplaced?: boolean;
  /** A killed process left it, and no data file belongs to it: it may be the only copy of one. */
  readonly isLost?: boolean;
  /** It was given a name that users find, and stays. */
  isKept?: boolean;
}

/** Whether a file's content differs from the expected one. Reads the file only if its fingerprint differs. */
export function isChanged({ held, expected }: ReplacedFile): boolean {
  return fingerprintFrom(held.stat()) !== expected.fingerprint && hashOf(held) !== expected.hash;
}

export function isPresent({ held }: ReplacedFile): boolean {
  try {
    held.stat();
    return true;
  } catch {
    return false;
  }
}
