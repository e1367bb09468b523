import { readFileSync } from "node:fs";
import { retryWhileHeld } from "../base/files/retry-while-held.ts";

/**
 * Remembers the content of files to tell whether they changed. Create it before anything reads the files, so that a
 * change during the start is noticed as well.
 */
export class Baseline {
  readonly #contents = new Map<string, string | undefined>();

  constructor(files: readonly unknown[] = []) {
    for (const file of files) if (typeof file === "string") this.#contents.set(file, contentOf(file));
  }

  /** Tells whether the content differs from the last call. A file that cannot be read has not changed yet. */
  hasChanged(file: string): boolean {
    const now = contentOf(file);
    const isNew = this.#contents.has(file) && now !== undefined && now !== this.#contents.get(file);
    if (now !== undefined) this.#contents.set(file, now);
    return isNew;
  }
}

function contentOf(file: string): string | undefined {
  try {
    return retryWhileHeld(() => readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
