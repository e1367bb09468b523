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

/**
 * A file that is about to be replaced, or was: whoever has it open still writes to it, so it is kept until that can be
 * ruled out.
 */
export interface Former {
  /** Whether it has a name of its own: then it may be given another one while somebody writes to it. */
  readonly isNamed: boolean;
  stat(): Stats;
  read(): Buffer;
  /** Gives it a name that people find. Whoever still writes to it goes on there, if it has a name already. */
  keepAs(path: string): void;
  drop(): void;
}

/** A second name keeps it, also beyond the end of this process. */
export class LinkedFormer implements Former {
  readonly isNamed = true;
  #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  stat(): Stats {
    return statSync(this.#path);
  }

  read(): Buffer {
    return readFileSync(this.#path);
  }

  keepAs(path: string): void {
    renameSync(this.#path, path);
    this.#path = path;
  }

  /** Gives it back the name that it had; false when another file has that by now. */
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
      // Where nothing can be removed, the next start looks at it again.
    }
  }
}

/** Where a file cannot have two names, it is held open. */
class HeldFormer implements Former {
  readonly isNamed = false;
  readonly #fd: number;

  constructor(fd: number) {
    this.#fd = fd;
  }

  stat(): Stats {
    return fstatSync(this.#fd);
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

/** Keeps what is at a path now; undefined when nothing is. */
export function holdFormer(path: string, secondName: string): Former | undefined {
  try {
    linkSync(path, secondName);
    return new LinkedFormer(secondName);
  } catch {
    // No file, no folder of ours any more, another disk, or a file system without links.
  }
  try {
    return new HeldFormer(openSync(path, "r"));
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw thrown;
  }
}

/** Gives a file another name; false when a file has that already. */
export function linkUnlessThere(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw thrown;
  }
}

export function hashOf(former: Former): string {
  return createHash("sha256").update(former.read()).digest("hex");
}
