import type { StoreEvent, StoreListener } from "../../store.ts";
import type { PostgresDatabase } from "../connections/postgres-database.ts";
import type { Catalogue } from "../tables/catalogue.ts";
import { isAboutMembers, readNotice, requestAnnouncements, TOLD } from "./changes.ts";

/** Tells listeners of the changes that all processes make. */
export class RemoteChanges {
  readonly #database: PostgresDatabase;
  readonly #catalogue: Catalogue;
  /** Hears that the clock or the hooks may have changed. */
  readonly #onTold: () => void;
  readonly #listeners = new Set<StoreListener>();
  /** Numbers the events. Versions count per collection here, and no two processes may use the same numbers. */
  #lastNumber = Date.now() * 1000;
  /** Settles when the notices so far are handled. In order: a short notice must not overtake one to be fetched. */
  #handled: Promise<void> = Promise.resolve();
  /** The request to all processes; undefined when there is none, or it failed. */
  #announced: Promise<void> | undefined;

  constructor(database: PostgresDatabase, catalogue: Catalogue, onTold: () => void) {
    this.#database = database;
    this.#catalogue = catalogue;
    this.#onTold = onTold;
  }

  /** Listens to other processes until the database is closed. */
  async start(channel: string): Promise<void> {
    const onGap = (): void => this.#announceExchange();
    await this.#database.listen({
      channel,
      onNotice: (payload) => {
        if (payload === TOLD) return this.#onTold();
        this.#handled = this.#handled.then(() => this.#handle(payload)).catch(onGap);
      },
      onGap: () => {
        onGap();
        this.#onTold();
      },
    });
  }

  /** From the first subscription on, all processes announce their changes: this one at once, the others see `announced`. */
  subscribe(listener: StoreListener): () => void {
    this.#listeners.add(listener);
    this.#catalogue.announce();
    void this.announced().catch(() => undefined);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when every process announces the writes that it begins from now on. */
  announced(): Promise<void> {
    this.#announced ??= this.#database.query(requestAnnouncements).catch((thrown: unknown) => {
      this.#announced = undefined;
      throw thrown;
    });
    return this.#announced;
  }

  async #handle(payload: string): Promise<void> {
    // Without listeners only the catalogue matters.
    if (this.#listeners.size === 0 && !isAboutMembers(payload)) return;
    const notice = await this.#database.query((sql) => readNotice(sql, payload));
    if (!notice) return this.#announceExchange();
    if (!Array.isArray(notice)) {
      await this.#catalogue.refresh();
      return this.#announce({ kind: "members", version: ++this.#lastNumber, edit: notice });
    }
    for (const { edits } of notice) this.#announce({ kind: "change", change: { version: ++this.#lastNumber, edits } });
  }

  /** All data may be new: it was replaced, or notices were missed. */
  #announceExchange(): void {
    void this.#catalogue.refresh().catch(() => undefined);
    this.#announce({ kind: "exchange", version: ++this.#lastNumber });
  }

  #announce(event: StoreEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
