import { IdKeys } from "../id-keys.ts";
import { MemoryStore } from "../memory/memory-store.ts";
import { State } from "../memory/state.ts";
import type { FileStoreOptions } from "./file-store.ts";
import { type Recovered, recover } from "./journal/recover.ts";
import { KnownFiles } from "./known-files.ts";
import type { Layout } from "./layout.ts";

type CopyOptions = Pick<FileStoreOptions, "idKey" | "idKeys" | "warn" | "seed" | "completions" | "rules">;

/** A copy of data files in memory. Reads the files, also after they change, but never writes them. */
export class CopyStore extends MemoryStore {
  readonly isFromFile = true;
  readonly #layout: Layout;
  readonly #known: KnownFiles;
  readonly #warn: (text: string) => void;

  static async open(layout: Layout, options: CopyOptions): Promise<CopyStore> {
    return new CopyStore(layout, options, recover(layout, options.warn, "never"));
  }

  private constructor(layout: Layout, options: CopyOptions, recovered: Recovered) {
    super(
      State.load(recovered.database, IdKeys.from(options), options),
      `memory only (--memory); ${layout.place} is never written`,
    );
    this.#layout = layout;
    this.#known = new KnownFiles(layout, recovered.observed);
    this.#warn = options.warn;
  }

  override async reload(): Promise<boolean> {
    if (this.#known.changedOutside().length === 0) return false;
    const { database, observed } = this.#layout.load({ refuseBlank: true });
    this.exchange(this.state.loadNext(database, this.#warn));
    this.baseline = this.state.fork();
    this.#known.replace(observed);
    this.announceExchange();
    return true;
  }
}
