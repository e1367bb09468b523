import { messageOf, StartError } from "../../base/errors.ts";
import type { Completions } from "../completion.ts";
import { type IdKeyOptions, IdKeys } from "../id-keys.ts";
import type { ConnectionOptions } from "../postgres/connections/connection.ts";
import { PostgresDatabase } from "../postgres/connections/postgres-database.ts";
import type { RecordRules } from "../record-rules.ts";
import { withoutPassword } from "../sources/source-kind.ts";
import { readTables } from "./read-tables.ts";
import { TablesStore } from "./tables-store.ts";

export interface TablesOptions extends Omit<ConnectionOptions, "schema">, IdKeyOptions {
  /** Schemas and tables, separated by commas. */
  readonly tables: string;
  readonly completions?: Completions | undefined;
  readonly rules?: RecordRules | undefined;
}

/** Connects, and reads which tables there are. Creates nothing. */
export async function openTables(url: string, options: TablesOptions): Promise<TablesStore> {
  const { tables, completions, rules } = options;
  // Functions and triggers of the tables find their own as they do for others.
  const database = new PostgresDatabase(url, { ...options, schema: undefined });
  const idKeys = IdKeys.from(options);
  try {
    const store = new TablesStore({
      database,
      place: `${withoutPassword(url)}, tables of ${tables}`,
      defaultIdKey: idKeys.default,
      completions,
      rules,
      read: () => readTables(database, tables, idKeys),
    });
    await store.refresh();
    return store;
  } catch (thrown) {
    await database.close();
    throw thrown instanceof StartError
      ? thrown
      : new StartError(`${withoutPassword(url)} cannot be used: ${messageOf(database.explain(thrown))}`);
  }
}
