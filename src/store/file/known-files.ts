import { join } from "node:path";
import { firmLookOf, isSameFile, type Look, lookOf, NO_LOOK } from "./fingerprint.ts";
import type { Base } from "./journal/journal.ts";
import { ABSENT, hashFile, type Layout, type Seen } from "./layout.ts";

/** What the data files are known to hold: what was read from them or written to them last. */
export class KnownFiles {
  readonly #layout: Layout;
  #seen: Map<string, Seen>;
  readonly #contested = new Set<string>();

  constructor(layout: Layout, seen: ReadonlyMap<string, Seen>) {
    this.#layout = layout;
    this.#seen = new Map(seen);
  }

  /** The files as they are known now, and their hashes once somebody asks for them: they may still be in the making. */
  baseAt(v: number): Base {
    const seen = new Map(this.#seen);
    return {
      v,
      get hashes() {
        return Object.fromEntries([...seen].map(([file, { hash }]) => [file, hash]));
      },
    };
  }

  get files(): string[] {
    return [...this.#seen.keys()];
  }

  get(file: string): Seen | undefined {
    return this.#seen.get(file);
  }

  /** `look` is that of the very file with this hash, not of what may have come after it. */
  learn(file: string, seen: Seen): void {
    this.#seen.set(file, seen);
  }

  forget(file: string): void {
    this.#seen.delete(file);
  }

  /** Takes a file for what it is now: we left it in a state that nobody planned. */
  accept(file: string): void {
    const path = join(this.#layout.folder, file);
    this.learn(file, { look: firmLookOf(path), hash: hashFile(path) });
  }

  /** Everything was read anew. */
  replace(seen: ReadonlyMap<string, Seen>): void {
    this.#seen = new Map(seen);
  }

  /** Files whose content is not what it is known to be. */
  changedOutside(): string[] {
    const files = new Set([...this.#seen.keys(), ...this.#layout.files()]);
    return [...files].filter((file) => this.isChanged(file));
  }

  /** Whether a file's content is not what it is known to be. A file that looks the same is not read. */
  isChanged(file: string): boolean {
    const known = this.#known(file);
    const path = join(this.#layout.folder, file);
    if (this.#look(file) === known.look) return false;
    // Taken before reading: a later change then shows as another look.
    const look = firmLookOf(path);
    if (hashFile(path) !== known.hash) return true;
    this.learn(file, { hash: known.hash, look });
    return false;
  }

  /** Whether an outside program was ever seen to put another file in the place of this one, or to take it away. */
  isContested(file: string): boolean {
    this.#look(file);
    return this.#contested.has(file);
  }

  #known(file: string): Seen {
    return this.#seen.get(file) ?? { hash: ABSENT, look: NO_LOOK };
  }

  #look(file: string): Look {
    const look = lookOf(join(this.#layout.folder, file));
    if (!isSameFile(look, this.#known(file).look)) this.#contested.add(file);
    return look;
  }
}
