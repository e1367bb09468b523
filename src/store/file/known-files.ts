import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isBlank } from "./file-content.ts";
import { type Fingerprint, fingerprintOf, isSameFile, NO_FINGERPRINT, reliableFingerprintOf } from "./fingerprint.ts";
import type { Base } from "./journal/journal-writer.ts";
import type { Layout } from "./layout.ts";
import { ownFile } from "./own-folder.ts";
import { ABSENT, hashFile, type ObservedFile } from "./read-data-file.ts";

/** The data files as this process last read or wrote them. */
export class KnownFiles {
  readonly #layout: Layout;
  #observed: Map<string, ObservedFile>;
  readonly #contested = new Set<string>();
  #remembered: RememberedFingerprints | undefined;
  /** The fingerprints of the files that are about to be put into place. */
  #coming: ReadonlyMap<string, Fingerprint> = new Map();

  constructor(layout: Layout, observed: ReadonlyMap<string, ObservedFile>) {
    this.#layout = layout;
    this.#observed = new Map(observed);
  }

  /** Continues what a crashed process knew, and keeps what this one knows for the next. */
  remember(remembered: RememberedFingerprints): void {
    const before = remembered.read();
    for (const [file, { fingerprint }] of this.#observed) {
      if (before && !before.get(file)?.includes(fingerprint)) this.#contested.add(file);
    }
    this.#remembered = remembered;
    this.#writeDown();
  }

  /** Call it before files are put into place, with their fingerprints. */
  expect(coming: ReadonlyMap<string, Fingerprint>): void {
    this.#coming = coming;
    this.#writeDown();
  }

  /** A base of the files as they are known now. Reads the hashes on demand: they may still be computed. */
  baseAt(v: number): Base {
    const observed = new Map(this.#observed);
    return {
      v,
      get hashes() {
        return Object.fromEntries([...observed].map(([file, { hash }]) => [file, hash]));
      },
    };
  }

  get files(): string[] {
    return [...this.#observed.keys()];
  }

  get(file: string): ObservedFile | undefined {
    return this.#observed.get(file);
  }

  /** The fingerprint must be that of the very file with this hash, not of a later version. */
  learn(file: string, observed: ObservedFile): void {
    this.#observed.set(file, observed);
  }

  forget(file: string): void {
    this.#observed.delete(file);
  }

  /** Learns a file as it is now, after we failed to write it. */
  accept(file: string): void {
    const path = join(this.#layout.folder, file);
    this.learn(file, { fingerprint: reliableFingerprintOf(path), hash: hashFile(path) });
  }

  /** Replaces all that is known, after the files were read again. */
  replace(observed: ReadonlyMap<string, ObservedFile>): void {
    this.#observed = new Map(observed);
    this.#writeDown();
  }

  /** The files whose content differs from the known one. */
  changedOutside(): string[] {
    const files = new Set([...this.#observed.keys(), ...this.#layout.files()]);
    return [...files].filter((file) => this.isChanged(file));
  }

  /** The files that lost their content from outside: they are there, but have nothing but white space. */
  emptied(): string[] {
    try {
      return this.changedOutside().filter((file) => isBlank(join(this.#layout.folder, file)));
    } catch {
      // The folder is closed or gone.
      return [];
    }
  }

  /** Whether a file's content differs from the known one. Reads the file only if its fingerprint differs. */
  isChanged(file: string): boolean {
    const known = this.expected(file);
    const path = join(this.#layout.folder, file);
    if (this.#fingerprint(file) === known.fingerprint) return false;
    // Taken before reading, so that a later change gives another fingerprint.
    const fingerprint = reliableFingerprintOf(path);
    if (hashFile(path) !== known.hash) return true;
    this.learn(file, { hash: known.hash, fingerprint });
    return false;
  }

  /** Whether an outside program replaced or removed this file, since the last clean stop of a server. */
  isContested(file: string): boolean {
    this.#fingerprint(file);
    return this.#contested.has(file);
  }

  /** The content that a file has unless it was changed from outside. */
  expected(file: string): ObservedFile {
    return this.#observed.get(file) ?? { hash: ABSENT, fingerprint: NO_FINGERPRINT };
  }

  /** The current fingerprint; notes whether it is of another file than the known one. */
  #fingerprint(file: string): Fingerprint {
    const fingerprint = fingerprintOf(join(this.#layout.folder, file));
    if (!this.#contested.has(file) && !isSameFile(fingerprint, this.expected(file).fingerprint)) {
      this.#contested.add(file);
      this.#writeDown();
    }
    return fingerprint;
  }

  #writeDown(): void {
    const files = new Set([...this.#observed.keys(), ...this.#coming.keys(), ...this.#contested]);
    const expected = (file: string): Fingerprint[] =>
      [this.#observed.get(file)?.fingerprint, this.#coming.get(file)].filter((one) => one !== undefined);
    // No file has any of no fingerprints.
    const ofFile = (file: string): Fingerprint[] => (this.#contested.has(file) ? [] : expected(file));
    this.#remembered?.write(new Map([...files].map((file) => [file, ofFile(file)])));
  }
}

/** The fingerprints that each data file may have, unless another program changed it. */
type Remembered = ReadonlyMap<string, readonly Fingerprint[]>;

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
