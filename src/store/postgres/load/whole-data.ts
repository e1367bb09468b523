import type { Json, JsonObject } from "../../../json.ts";
import type { Exported } from "../../store.ts";
import type { Sql } from "../connections/connection.ts";
import type { Database } from "../connections/postgres-database.ts";
import { recordOf } from "../read/select.ts";
import { Catalogue, type KnownMember, tableName } from "../tables/catalogue.ts";
import { decodeText } from "../tables/coded-text.ts";
import { lockSchema } from "../tables/schema.ts";
import { addOrders } from "../tables/tables.ts";
import { singletonOf } from "../write/fetch.ts";
import { type IncomingMember, type LoadTools, replaceAll } from "./load.ts";
import { renderAll } from "./render.ts";
import { BASELINE, type Kept, keepAll, listKept, readKept, removeKept, restoreKept } from "./stored-snapshots.ts";

/** Records of a table that is worth a sweep after loading. */
const WORTH_TIDYING = 10_000;

/** What concerns all data at once: exchanging, keeping and taking out the whole. Each is one transaction. */
export class WholeData {
  readonly #database: Database;
  readonly #catalogue: Catalogue;
  readonly #load: LoadTools;

  constructor(database: Database, catalogue: Catalogue, load: LoadTools) {
    this.#database = database;
    this.#catalogue = catalogue;
    this.#load = load;
  }

  /** Exchanges everything for other data, which may be more than memory holds. */
  async replace(members: Iterable<IncomingMember> | AsyncIterable<IncomingMember>, isBaseline = false): Promise<void> {
    await this.#change(async (sql) => {
      await replaceAll(sql, this.#load, members);
      if (isBaseline) await keepAll(sql, BASELINE);
    });
    await this.#tidy();
  }

  /** Fills a database that never held anything; tells whether it did. Of several processes that start at once, one does. */
  async seed(members: () => Iterable<IncomingMember>): Promise<boolean> {
    return this.#change(async (sql) => {
      await lockSchema(sql, this.#load.schema);
      const [loaded] = await sql`SELECT FROM meta WHERE key = 'loaded'`;
      if (loaded) return false;
      await replaceAll(sql, this.#load, members());
      await keepAll(sql, BASELINE);
      return true;
    });
  }

  /** Makes the indexes that are declared but missing. */
  async keepOrders(): Promise<void> {
    const { schema, pathsOf } = this.#load;
    const isMissing = ({ name, kind, keys, orders }: KnownMember): boolean =>
      kind === "collection" && pathsOf(name, keys).some((path) => !orders.has(path));
    if (![...this.#catalogue.members].some(isMissing)) return;
    await this.#change(async (sql) => {
      await sql`SET LOCAL statement_timeout = 0`;
      await lockSchema(sql, schema);
      // Another process may just have made them.
      const catalogue = new Catalogue((question) => question(sql));
      await catalogue.refresh();
      for (const { name, number, keys, orders } of [...catalogue.members].filter(isMissing)) {
        await addOrders(sql, number, orders, pathsOf(name, keys));
      }
    });
  }

  /** Tells whether there was a baseline. */
  async restoreBaseline(): Promise<boolean> {
    return this.restore(BASELINE);
  }

  listKept(): Promise<Kept[]> {
    return this.#database.ask(listKept);
  }

  keep(id: string): Promise<Kept> {
    return this.#database.atOneMoment(this.#catalogue, (sql) => keepAll(sql, id));
  }

  /** Tells whether there was one of this id. */
  async restore(id: string): Promise<boolean> {
    const isRestored = await this.#change((sql) => restoreKept(sql, this.#load, id));
    if (isRestored) await this.#tidy();
    return isRestored;
  }

  /** What was kept under an id; empty when it is gone. */
  read(id: string): Promise<JsonObject> {
    return this.#database.atOneMoment(this.#catalogue, (sql) => readKept(sql, id));
  }

  remove(id: string): Promise<boolean> {
    return this.#change((sql) => removeKept(sql, id));
  }

  export(limit?: number): Promise<Exported[]> {
    return this.#database.atOneMoment(this.#catalogue, async (sql) => {
      const rows = await sql`SELECT name, kind, number, version, body FROM members ORDER BY position`;
      const exported: Exported[] = [];
      for (const row of rows) exported.push(await exportMember(sql, row, limit));
      return exported;
    });
  }

  /** Hands the text of a data file with everything as it is at one moment to whoever writes it. */
  async render(write: (pieces: AsyncIterable<string>) => Promise<void>, onProgress: (records: number) => void) {
    await this.#database.atOneMoment(this.#catalogue, (sql) => write(renderAll(sql, onProgress)));
  }

  async #change<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const result = await this.#database.change(work);
    await this.#catalogue.refresh();
    return result;
  }

  /** Lets indexes answer alone on tables that were filled at once; the database would do it by itself, but later. */
  async #tidy(): Promise<void> {
    for (const { kind, table, count } of this.#catalogue.members) {
      if (kind !== "collection" || count < WORTH_TIDYING) continue;
      await this.#database.once((sql) => sql.unsafe(`VACUUM ${table}`)).catch(() => undefined);
    }
  }
}

async function exportMember(sql: Sql, row: Record<string, unknown>, limit: number | undefined): Promise<Exported> {
  const name = decodeText(row.name as string);
  const version = Number(row.version);
  if (row.kind === "aside") return { kind: "aside", name, version, value: JSON.parse(row.body as string) as Json };
  if (row.kind === "singleton") return { kind: "singleton", name, version, record: singletonOf(row) };
  const table = sql(tableName(Number(row.number)));
  const rows = await sql`SELECT slot, version, body FROM ${table} ORDER BY slot LIMIT ${limit ?? null}`;
  return { kind: "collection", name, version, records: rows.map(recordOf) };
}
