import { type JsonObject, parseJson } from "../../../base/json/json.ts";
import { inSlices } from "../../../base/slices.ts";
import { indented } from "../../file/render-database.ts";
import { type ExchangeOptions, type Origin, Overtaken } from "../../history.ts";
import type { ApplyOptions, Exported, MemberEdit, SharedSnapshots, StoredSnapshot } from "../../store.ts";
import type { Sql } from "../connections/connection.ts";
import type { PostgresDatabase } from "../connections/postgres-database.ts";
import { latestVersion, waitForWriters } from "../history/bounds.ts";
import { type BackRow, EarlierData } from "../history/earlier-data.ts";
import { only } from "../sql/fragment.ts";
import { Catalogue, type KnownMember, tableName } from "../tables/catalogue.ts";
import { decodeText } from "../tables/coded-text.ts";
import { lockSchema } from "../tables/schema.ts";
import { addSortColumns } from "../tables/tables.ts";
import { alterMember } from "./alter-member.ts";
import { exportAll, type MemberRow, type WhereOf } from "./export-all.ts";
import { type IncomingMember, type LoadContext, lockMembers, replaceDatabase } from "./replace-database.ts";
import {
  BASELINE,
  listSnapshots,
  readSnapshot,
  removeSnapshot,
  restoreSnapshot,
  saveSnapshot,
} from "./stored-snapshots.ts";

/** Tables with fewer records need no VACUUM after loading. */
const MIN_VACUUMED_RECORDS = 10_000;

/** The operations on all data at once: replacing, snapshots and exporting. Each is one transaction. */
export class WholeData implements SharedSnapshots {
  readonly #database: PostgresDatabase;
  readonly #catalogue: Catalogue;
  readonly #load: LoadContext;

  constructor(database: PostgresDatabase, catalogue: Catalogue, load: LoadContext) {
    this.#database = database;
    this.#catalogue = catalogue;
    this.#load = load;
  }

  /** Replaces all data; the new data may be larger than memory. A reset restores it from now on if it is the baseline. */
  async replace(
    members: Iterable<IncomingMember> | AsyncIterable<IncomingMember>,
    isBaseline = false,
    origin?: Origin,
  ): Promise<void> {
    // The members can be read only once.
    await this.#database.changeOnce(async (sql) => {
      await replaceDatabase(sql, { ...this.#load, origin }, members);
      if (isBaseline) await saveSnapshot(sql, BASELINE);
    });
    await this.#catalogue.refresh();
    await this.#vacuum();
  }

  /** Replaces all data by what is made of it, while no process writes. */
  async remake(make: (read: () => Promise<Exported[]>) => Promise<Iterable<IncomingMember>>, options: ExchangeOptions) {
    const { after, ...origin } = options;
    await this.#change(async (sql) => {
      await sql`SET LOCAL statement_timeout = 0`;
      await lockSchema(sql, this.#load.schema);
      await lockMembers(sql);
      if (after !== undefined && after !== (await latestVersion(sql))) throw new Overtaken();
      await replaceDatabase(sql, { ...this.#load, origin }, await make(() => exportAll(sql)));
    });
    await this.#vacuum();
  }

  /** Creates, renames or removes one member, for all processes. */
  async alter(edit: MemberEdit, { isDryRun = false, by, cause }: ApplyOptions): Promise<void> {
    const end = new Error("A dry run ends without a commit.");
    await this.#change(async (sql) => {
      await alterMember(sql, { ...this.#load, origin: { by, cause } }, edit);
      if (isDryRun) throw end;
    }).catch(async (thrown: unknown) => {
      // The edit has been seen, but not made.
      await this.#catalogue.refresh();
      if (thrown !== end) throw thrown;
    });
  }

  /** Fills a database that never had data; returns whether it did. If several processes start at once, one does it. */
  async seed(members: () => Iterable<IncomingMember>): Promise<boolean> {
    return this.#change(async (sql) => {
      await lockSchema(sql, this.#load.schema);
      const [loaded] = await sql`SELECT FROM meta WHERE key = 'loaded'`;
      if (loaded) return false;
      // The history begins with this data.
      const noting = { ...this.#load.noting, limits: undefined };
      await replaceDatabase(sql, { ...this.#load, noting }, members());
      await saveSnapshot(sql, BASELINE);
      return true;
    });
  }

  /** Creates the indexes that are declared but missing. */
  async createMissingIndexes(): Promise<void> {
    const { schema, idKeys, pathsOf } = this.#load;
    const isMissing = ({ name, kind, keys, sortColumns }: KnownMember): boolean =>
      kind === "collection" && pathsOf(name, keys).some((path) => !sortColumns.has(path));
    const missing = [...this.#catalogue.members].filter(isMissing);
    if (missing.length === 0) return;
    for (const { number } of missing) {
      // Each in a transaction of its own: one that holds two tables can deadlock with a reader of both.
      await this.#database.change(async (sql) => {
        await sql`SET LOCAL statement_timeout = 0`;
        await lockSchema(sql, schema);
        // As writers do: the row of the member first, then its table.
        await sql`SELECT FROM members WHERE number = ${number} FOR UPDATE`;
        // Another process may just have created them, or replaced the data.
        const catalogue = new Catalogue((question) => question(sql), idKeys);
        await catalogue.refresh();
        const member = [...catalogue.members].find((one) => one.number === number);
        if (!member || !isMissing(member)) return;
        const { name, keys, sortColumns } = member;
        await addSortColumns(sql, { number, present: sortColumns, paths: pathsOf(name, keys) });
      });
    }
    await this.#catalogue.refresh();
  }

  /** Returns whether there was a baseline. */
  async restoreBaseline(origin: Origin): Promise<boolean> {
    return this.restore(BASELINE, { cause: "reset", ...origin });
  }

  list(): Promise<StoredSnapshot[]> {
    return this.#database.query(listSnapshots);
  }

  save(id: string): Promise<StoredSnapshot> {
    return this.#database.atOneMoment(this.#catalogue, (sql) => saveSnapshot(sql, id));
  }

  /** Returns whether there was a snapshot with this id. */
  async restore(id: string, origin: Origin = {}): Promise<boolean> {
    const load = { ...this.#load, origin: { cause: "restore", ...origin } };
    const isRestored = await this.#change((sql) => restoreSnapshot(sql, load, id));
    if (isRestored) await this.#vacuum();
    return isRestored;
  }

  /** The data of a snapshot; empty if it is gone. */
  read(id: string): Promise<JsonObject> {
    return this.#database.atOneMoment(this.#catalogue, (sql) => readSnapshot(sql, id));
  }

  remove(id: string): Promise<boolean> {
    return this.#change((sql) => removeSnapshot(sql, id));
  }

  export(limit?: number, whereOf?: WhereOf): Promise<Exported[]> {
    const catalogue = this.#catalogue;
    return this.#database.atOneMoment(catalogue, (sql) => exportAll(sql, { limit, whereOf, catalogue }));
  }

  /** The data after a version; undefined where there are too many records. */
  async readEarlier(version: number, maxRecords: number): Promise<EarlierData | undefined> {
    await this.#database.change(waitForWriters);
    return this.#database.atOneMoment(this.#catalogue, async (sql) => {
      const { count } = only(await sql<{ count: string }[]>`SELECT coalesce(sum(count), 0) AS count FROM members`);
      if (Number(count) > maxRecords) return undefined;
      await this.#load.idKeys.refresh(sql);
      const earlier = new EarlierData(await exportAll(sql), (name) => this.#load.idKeys.of(name));
      const rows = sql<BackRow[]>`SELECT version, members, edits, moves, shape FROM history
        WHERE version > ${version} ORDER BY version DESC`;
      for await (const page of rows.cursor(ROWS)) for (const row of page) await inSlices(earlier.behind(row));
      return earlier;
    });
  }

  /** Passes the text of a data file with all data of one moment to `write`. */
  async render(write: (pieces: AsyncIterable<string>) => Promise<void>, onProgress: (records: number) => void) {
    await this.readAll((render) => write(render()), onProgress);
  }

  /** The same for work that reads the text several times: each time, it is that of the same moment. */
  async readAll(work: (render: () => AsyncIterable<string>) => Promise<void>, onProgress: (records: number) => void) {
    await this.#database.atOneMoment(this.#catalogue, (sql) => work(() => renderDataFile(sql, onProgress)));
  }

  async #change<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const result = await this.#database.change(work);
    await this.#catalogue.refresh();
    return result;
  }

  /** Enables index-only scans on tables that were just filled; the database would do it by itself, but later. */
  async #vacuum(): Promise<void> {
    for (const { kind, table, count } of this.#catalogue.members) {
      if (kind !== "collection" || count < MIN_VACUUMED_RECORDS) continue;
      await this.#database.once((sql) => sql.unsafe(`VACUUM ${table}`)).catch(() => undefined);
    }
  }
}

/** Records fetched at a time. */
const ROWS = 1000;

/** Renders the whole database as a data file, piece by piece; call it in a transaction that reads one moment. */
async function* renderDataFile(sql: Sql, onProgress: (records: number) => void): AsyncGenerator<string> {
  await sql`SET LOCAL statement_timeout = 0`;
  const members = await sql<MemberRow[]>`SELECT name, kind, number, version, body FROM members ORDER BY position`;
  if (members.length === 0) {
    yield "{}\n";
    return;
  }
  yield "{\n";
  let done = 0;
  for (const [position, member] of members.entries()) {
    yield `${position === 0 ? "" : ",\n"}  ${JSON.stringify(decodeText(member.name))}: `;
    if (member.kind !== "collection") {
      yield indented(parseJson(member.body), "  ");
      onProgress(++done);
      continue;
    }
    let isFirst = true;
    const rows = sql<{ body: string }[]>`SELECT body FROM ${sql(tableName(member.number))} ORDER BY slot`;
    for await (const page of rows.cursor(ROWS)) {
      const texts = page.map((row) => `    ${indented(parseJson(row.body), "    ")}`);
      if (texts.length > 0) yield `${isFirst ? "[\n" : ",\n"}${texts.join(",\n")}`;
      isFirst &&= texts.length === 0;
      done += texts.length;
      onProgress(done);
    }
    yield isFirst ? "[]" : "\n  ]";
  }
  yield "\n}\n";
}
