import type { IdKeys } from "../../id-keys.ts";
import type { Sql } from "../connections/connection.ts";
import { decodeText, encodeText } from "./coded-text.ts";

/** Marks the rows of `meta` with the primary keys that renamed collections keep, by their new names. */
export const KEPT_KEY = "id key of ";

export interface MetaRow {
  readonly key: string;
  readonly value: string;
}

/** The primary keys of all collections. Those that renamed ones keep are in the database, for all processes. */
export class StoredIdKeys {
  #keys: IdKeys;

  constructor(keys: IdKeys) {
    this.#keys = keys;
  }

  get default(): string {
    return this.#keys.default;
  }

  /** The keys as they are now. */
  get present(): IdKeys {
    return this.#keys;
  }

  of(collection: string): string {
    return this.#keys.of(collection);
  }

  /** Takes over the kept keys among rows of `meta`. */
  take(rows: readonly MetaRow[]): void {
    const storedKeys = rows.flatMap(({ key, value }): [string, string][] =>
      key.startsWith(KEPT_KEY) ? [[decodeText(key.slice(KEPT_KEY.length)), decodeText(value)]] : [],
    );
    this.#keys = this.#keys.keeping(new Map(storedKeys));
  }

  async refresh(sql: Sql): Promise<void> {
    this.take(await sql<MetaRow[]>`SELECT key, value FROM meta WHERE starts_with(key, ${KEPT_KEY})`);
  }

  /** Stores the key of a collection that is being renamed; the others know it once they read the catalogue again. */
  async keep(sql: Sql, name: string, to: string): Promise<void> {
    const idKey = this.of(name);
    if (idKey === this.of(to)) return;
    await sql`INSERT INTO meta VALUES (${KEPT_KEY + encodeText(to)}, ${encodeText(idKey)})
      ON CONFLICT (key) DO UPDATE SET value = excluded.value`;
  }

  /** A new collection has nothing to do with a renamed one of the same name. */
  async forget(sql: Sql, name: string): Promise<void> {
    await sql`DELETE FROM meta WHERE key = ${KEPT_KEY + encodeText(name)}`;
  }
}
