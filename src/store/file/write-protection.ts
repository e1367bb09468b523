import { accessSync, constants, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { StandinError } from "../../base/errors.ts";
import type { Layout } from "./layout.ts";

const OWNER_MAY_WRITE = 0o200;

/** The data files that their mode or owner protects from writes. A folder may have some, and changes to others go on. */
export class WriteProtection {
  readonly #layout: Layout;
  readonly #warn: (text: string) => void;
  readonly #protected = new Set<string>();

  constructor(layout: Layout, warn: (text: string) => void) {
    this.#layout = layout;
    this.#warn = warn;
  }

  /** Whether any file was protected when it was last looked at. */
  get isOn(): boolean {
    return this.#protected.size > 0;
  }

  /** Warns of the files that are protected, once. */
  report(files: readonly string[]): void {
    for (const file of files) this.has(file);
  }

  /** Whether a file is protected now. */
  has(file: string): boolean {
    const reason = this.reasonFor(file);
    if (reason === undefined) this.#protected.delete(file);
    else if (!this.#protected.has(file)) {
      this.#protected.add(file);
      const hint = "Make it writable, or add --memory to serve a copy that is never saved";
      this.#warn(`${reason}; it is served, but changes to it are refused. ${hint}.`);
    }
    return reason !== undefined;
  }

  /** Refuses to change files of which one is protected. */
  expectWritable(files: Iterable<string>): void {
    for (const file of files) {
      if (!this.has(file)) continue;
      throw new StandinError(
        "STORE_UNAVAILABLE",
        `${this.reasonFor(file)}. Nothing was changed; make it writable, or start the server with --memory.`,
      );
    }
  }

  /** The reason why a file must not be written; undefined when it may. */
  reasonFor(file: string): string | undefined {
    const path = join(this.#layout.folder, file);
    const found = statOf(path);
    if (!found) return undefined;
    const { mode, uid } = found;
    const me = process.getuid?.();
    // The system lets root write any file. Its mode still says that it should not be.
    const isClosed = me === 0 && (mode & OWNER_MAY_WRITE) === 0;
    if (!isClosed && isWritable(path)) return undefined;
    const owner = me === undefined || me === uid ? "" : ` and belongs to the user ${uid}`;
    return `${path} is write-protected: it has mode ${(mode & 0o777).toString(8).padStart(3, "0")}${owner}`;
  }
}

/** Undefined for a file that is missing, or in a folder that is closed: the journal is refused there, too. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
