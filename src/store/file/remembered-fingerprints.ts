import { readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Fingerprint } from "./fingerprint.ts";
import { ownFile } from "./own-folder.ts";

/** The fingerprints that each data file may have, unless another program changed it. */
export type Remembered = ReadonlyMap<string, readonly Fingerprint[]>;

/**
 * The fingerprints of the data files, beside them while a server runs. After a crash, the next start knows from them
 * whether another program has changed a file, even if the crashed process had not noticed it.
 */
export class RememberedFingerprints {
  readonly #path: string;

  constructor(anchor: string) {
    this.#path = ownFile(anchor, "fingerprints");
  }

  /** Undefined after a clean stop. */
  read(): Remembered | undefined {
    let text: string;
    try {
      text = readFileSync(this.#path, "utf8");
    } catch {
      return undefined;
    }
    try {
      const entries = Object.entries(JSON.parse(text) as object);
      return new Map(entries.filter(([, fingerprints]) => Array.isArray(fingerprints)));
    } catch {
      // The process ended while it wrote them.
      return new Map();
    }
  }

  write(remembered: Remembered): void {
    try {
      writeFileSync(this.#path, JSON.stringify(Object.fromEntries(remembered)));
    } catch {
      // The former ones match no later file: then the next start assumes that another program changed it.
    }
  }

  remove(): void {
    try {
      rmSync(this.#path, { force: true });
    } catch {
      // Likewise.
    }
  }
}
