import type { SharedSecrets } from "../../store.ts";
import type { PostgresDatabase } from "../connections/postgres-database.ts";
import { only, run } from "../sql/fragment.ts";
import { tellSql } from "../write/changes.ts";

/** Texts of the table `meta`, which neither snapshots nor exports contain. */
export class StoredSecrets implements SharedSecrets {
  readonly #database: PostgresDatabase;
  readonly #channel: string;
  readonly #listeners: (() => void)[] = [];

  constructor(database: PostgresDatabase, channel: string) {
    this.#database = database;
    this.#channel = channel;
  }

  watch(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Tells listeners that another process may have changed a text. */
  tell(): void {
    for (const listener of this.#listeners) listener();
  }

  async read(name: string): Promise<string | undefined> {
    const [row] = await this.#database.query(
      (sql) => sql<{ value: string }[]>`SELECT value FROM meta WHERE key = ${keyOf(name)}`,
    );
    return row?.value;
  }

  change(name: string, make: (text: string | undefined) => string): Promise<string> {
    const key = keyOf(name);
    return this.#database.change(async (sql) => {
      // A row to lock: a second process waits here for the first.
      const [created] = await sql`INSERT INTO meta VALUES (${key}, '') ON CONFLICT DO NOTHING RETURNING key`;
      const rows = await sql<{ value: string }[]>`SELECT value FROM meta WHERE key = ${key} FOR UPDATE`;
      const value = make(created ? undefined : only(rows).value);
      await sql`UPDATE meta SET value = ${value} WHERE key = ${key}`;
      await run(sql, tellSql(this.#channel));
      return value;
    });
  }
}

function keyOf(name: string): string {
  return `secret ${name}`;
}
