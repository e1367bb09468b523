import { StandinError } from "../../errors.ts";
import type { Json, JsonObject } from "../../json.ts";
import type { Query } from "../../query/query.ts";
import { type Id, idOf, lookupKey } from "../ids.ts";
import { withoutPassword } from "../sources/source-kind.ts";
import type {
  Change,
  Exported,
  FindOptions,
  Found,
  Member,
  Relation,
  SharedData,
  Statistics,
  Store,
  StoreEvent,
  StoreListener,
  Write,
} from "../store.ts";
import type { StoredRecord } from "../stored-record.ts";
import type { Sql } from "./connections/connection.ts";
import type { Database } from "./connections/postgres-database.ts";
import { incomingMembers } from "./load/incoming-members.ts";
import type { LoadTools } from "./load/load.ts";
import { WholeData } from "./load/whole-data.ts";
import { factsSql, findRecords, hasPath } from "./read/find.ts";
import { recordOf } from "./read/select.ts";
import { groupByText, readRelated, withRelatedSql } from "./read/select-relations.ts";
import { statisticsOf } from "./read/statistics.ts";
import { textIsSql } from "./sql/conditions.ts";
import { name, run, sql } from "./sql/fragment.ts";
import { Catalogue, type KnownMember } from "./tables/catalogue.ts";
import { encodeText } from "./tables/coded-text.ts";
import { askForChanges, forgetChanges, readNotice } from "./write/changes.ts";
import { fetchIdFacts, fetchRecords, recordSql, singletonOf } from "./write/fetch.ts";
import { countRequest, forgetRates } from "./write/rates.ts";
import { WriteLane } from "./write/write-lane.ts";

/** How often what nobody needs any more is swept away. */
const SWEEP_MS = 60_000;

export interface PostgresStoreFacts {
  readonly database: Database;
  readonly url: string;
  readonly idKey: string;
  readonly epoch: string;
  readonly load: LoadTools;
}

/** Records in PostgreSQL, shared with any number of other processes. Nothing but the catalogue is held here. */
export class PostgresStore implements Store {
  readonly engine = "postgres";
  readonly shared: SharedData;
  readonly place: string;
  readonly idKey: string;
  readonly epoch: string;
  /** What concerns all data at once. */
  readonly data: WholeData;
  readonly #database: Database;
  readonly #load: LoadTools;
  readonly #catalogue: Catalogue;
  readonly #lanes = new Map<string, WriteLane>();
  readonly #statistics = new Map<string, { version: string; statistics: Statistics }>();
  readonly #listeners = new Set<StoreListener>();
  /** Numbers what this process tells of. Versions count per collection here; and no other process may have the same numbers. */
  #told = Date.now() * 1000;
  readonly #sweeper: NodeJS.Timeout;

  constructor({ database, url, idKey, epoch, load }: PostgresStoreFacts) {
    this.#database = database;
    this.#load = load;
    this.idKey = idKey;
    this.epoch = epoch;
    this.place = `${withoutPassword(url)}, schema ${load.schema}`;
    this.#catalogue = new Catalogue((question) => database.ask(question));
    this.data = new WholeData(database, this.#catalogue, load);
    this.shared = {
      countRequest: (key, windowSeconds) => database.ask((sql) => countRequest(sql, key, windowSeconds)),
      seed: (make) => this.data.seed(() => incomingMembers(make())),
      snapshots: this.data,
    };
    this.#sweeper = setInterval(() => void this.#sweep().catch(() => undefined), SWEEP_MS).unref();
  }

  /** Hears what other processes do, for as long as the store is open. */
  async listen(): Promise<void> {
    const tell = (event: StoreEvent): void => {
      for (const listener of this.#listeners) listener(event);
    };
    // Whatever was said meanwhile is looked up.
    const missed = (): void => {
      void this.#catalogue.refresh().catch(() => undefined);
      tell({ kind: "exchange", version: ++this.#told });
    };
    const hear = async (payload: string): Promise<void> => {
      // Nobody wants to know: only that data were replaced matters here.
      if (this.#listeners.size === 0 && !payload.includes('"replaced"')) return;
      const changes = await this.#database.ask((sql) => readNotice(sql, payload));
      if (!changes) return missed();
      for (const { edits } of changes) tell({ kind: "change", change: { version: ++this.#told, edits } });
    };
    // One after the other: a short notice must not overtake a long one, which has to be fetched.
    let heard = Promise.resolve();
    const queue = (payload: string): void => {
      heard = heard.then(() => hear(payload)).catch(missed);
    };
    await this.#database.listen(this.#load.channel, queue, missed);
  }

  /** Processes tell of their changes from when the first of them wants to hear: it takes a moment to reach them all. */
  subscribe(listener: StoreListener): () => void {
    this.#listeners.add(listener);
    void this.#database.ask(askForChanges).catch(() => undefined);
    return () => this.#listeners.delete(listener);
  }

  members(): Member[] {
    const members: Member[] = [];
    for (const { name, kind, count } of this.#catalogue.members)
      if (kind !== "aside") members.push({ name, kind, count });
    return members;
  }

  kindOf(name: string): Member["kind"] | undefined {
    const kind = this.#catalogue.get(name)?.kind;
    return kind === "aside" ? undefined : kind;
  }

  refresh(): Promise<void> {
    return this.#catalogue.refresh();
  }

  async stamp(names?: readonly string[]): Promise<string> {
    const rows = await this.#database.ask((sql) =>
      names
        ? sql`SELECT m.version FROM unnest(${names.map(encodeText)}::text[]) WITH ORDINALITY AS n(name, place)
            LEFT JOIN members m ON m.name = n.name ORDER BY n.place`
        : sql`SELECT version FROM members ORDER BY position`,
    );
    return `${this.epoch}.${rows.map((row) => row.version ?? 0).join(".")}`;
  }

  async get(collection: string, id: string): Promise<StoredRecord | undefined> {
    return this.#withMember(collection, async (member, database) =>
      member ? (await fetchRecords(database, this.idKey, member, [id])).get(id) : undefined,
    );
  }

  async getWith(collection: string, id: string, relations: readonly Relation[], stampOf: readonly string[]) {
    return this.#withMember(collection, async (member, database) => {
      if (!member) return undefined;
      const facts = factsSql(member, stampOf);
      const page = recordSql(member, this.idKey, id, facts);
      const rows = await run(database, withRelatedSql(page, this.#catalogue, relations));
      const { page: found, related } = readRelated(rows, this.#catalogue, relations, this.idKey);
      const row = found.find(({ body }) => body !== null && isId(body as string, this.idKey, id));
      if (!row) return undefined;
      return { record: recordOf(row), related, stamp: `${this.epoch}.${row.versions}` };
    });
  }

  async keyFor(collection: string, id: string): Promise<Id> {
    const record = await this.get(collection, id);
    if (record) return idOf(record.value, this.idKey) ?? id;
    return this.#withMember(collection, async (member, database) => {
      if (!member) return id;
      const { hasNumbers, hasTexts } = await fetchIdFacts(database, this.idKey, member);
      return hasNumbers || !hasTexts ? lookupKey(id) : id;
    });
  }

  async singleton(name: string): Promise<StoredRecord | undefined> {
    const [row] = await this.#database.ask(
      (sql) => sql`SELECT version, body FROM members WHERE name = ${encodeText(name)} AND kind = 'singleton'`,
    );
    return row && singletonOf(row);
  }

  async find(name: string, query: Query, options: FindOptions = {}): Promise<Found> {
    return this.#withMember(name, async (member, database) => {
      if (!member) return { records: [], total: 0, stamp: `${this.epoch}.0` };
      const found = await findRecords(database, member, query, options, this.#catalogue, this.idKey);
      const { versions, ...rest } = found;
      return versions ? { ...rest, stamp: `${this.epoch}.${versions}` } : rest;
    });
  }

  async related(collection: string, field: string, values: ReadonlySet<string>): Promise<Map<string, StoredRecord[]>> {
    return this.#withMember(collection, async (member, database) => {
      const groups = new Map<string, StoredRecord[]>();
      if (!member || values.size === 0) return groups;
      const texts = [...values];
      if (field === this.idKey) {
        for (const [id, record] of await fetchRecords(database, this.idKey, member, texts)) groups.set(id, [record]);
        return groups;
      }
      const rows = await run(
        database,
        sql`SELECT slot, version, body FROM ${name(member.table)} WHERE ${textIsSql(member, field, texts)} ORDER BY slot`,
      );
      const all = groupByText(rows.map(recordOf), field, this.idKey);
      for (const [text, records] of all) if (values.has(text)) groups.set(text, records);
      return groups;
    });
  }

  async heldField(collection: string, fields: readonly string[], isCertain = false): Promise<string | undefined> {
    return this.#withMember(collection, async (member, database) => {
      if (!member) return undefined;
      const seen = fields.filter((field) => member.keys.has(field));
      if (seen.length <= 1 && !isCertain) return seen[0];
      for (const field of seen) {
        if (await hasPath(database, member, { text: field, segments: [field] })) return field;
      }
      return undefined;
    });
  }

  indexes(name: string): string[] {
    const member = this.#catalogue.get(name);
    if (member?.kind !== "collection") return [];
    const text = this.#load.trigrams ? ["trigrams of all texts"] : [];
    return ["containment of the record", ...text, ...[...member.orders.keys()].map((path) => `order of ${path}`)];
  }

  async statistics(name: string): Promise<Statistics> {
    return this.#withMember(name, async (member, database) => {
      if (!member) return { count: 0, fields: {} };
      const [row] = await database`SELECT version FROM members WHERE number = ${member.number}`;
      const version = String(row?.version);
      const known = this.#statistics.get(name);
      if (known?.version === version) return known.statistics;
      const statistics = await statisticsOf(database, member);
      this.#statistics.set(name, { version, statistics });
      return statistics;
    });
  }

  export(limit?: number): Promise<Exported[]> {
    return this.data.export(limit);
  }

  async apply(write: Write): Promise<Change> {
    const name = "collection" in write ? write.collection : write.name;
    let lane = this.#lanes.get(name);
    if (!lane) {
      const { idKey } = this;
      const tools = { database: this.#database, idKey, catalogue: this.#catalogue, channel: this.#load.channel };
      lane = new WriteLane(tools);
      this.#lanes.set(name, lane);
    }
    return lane.add(write);
  }

  async swap(database: JsonObject): Promise<void> {
    await this.data.replace(incomingMembers(database));
  }

  async reset(): Promise<void> {
    if (await this.data.restoreBaseline()) return;
    throw new StandinError(
      "RESET_UNAVAILABLE",
      "This database has no baseline to go back to. standin import leaves one, and so does a first start.",
    );
  }

  /** Whatever others change is seen as it is. */
  async reload(): Promise<boolean> {
    return false;
  }
  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await this.#database.close();
  }

  async #sweep(): Promise<void> {
    await this.#database.ask(forgetRates);
    await this.#database.ask(forgetChanges);
  }

  #withMember<T>(name: string, read: (member: KnownMember | undefined, database: Sql) => Promise<T>): Promise<T> {
    return this.#database.askOn(this.#catalogue, (sql) => {
      const member = this.#catalogue.get(name);
      return read(member?.kind === "collection" ? member : undefined, sql);
    });
  }
}

function isId(body: string, idKey: string, id: string): boolean {
  return String(idOf(JSON.parse(body) as Json, idKey)) === id;
}
