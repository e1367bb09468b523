import { StandinError } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json/json.ts";
import { inSlices } from "../../base/slices.ts";
import type { WorkAccount } from "../../base/work-account.ts";
import { meetsAll } from "../../query/filter.ts";
import { parsePath } from "../../query/path.ts";
import type { Filter, Query } from "../../query/query.ts";
import { membersOf } from "../apply-as-one.ts";
import type { Completions } from "../completion.ts";
import type { Origin } from "../history.ts";
import { type Id, idOf, lookupKey } from "../ids.ts";
import type { Receipt } from "../receipts.ts";
import type { RecordRules } from "../record-rules.ts";
import { withoutPassword } from "../sources/source-kind.ts";
import type {
  ApplyOptions,
  Change,
  Exported,
  FindOptions,
  Found,
  FoundReceipt,
  GetOptions,
  Grouped,
  GroupQuery,
  Key,
  Member,
  MemberEdit,
  Rearrangement,
  Remake,
  SharedSnapshots,
  Statistics,
  Store,
  StoreListener,
  Write,
} from "../store.ts";
import type { StoredRecord } from "../stored-record.ts";
import type { Sql, Statements } from "./connections/connection.ts";
import { OutdatedCatalogue } from "./connections/connection-errors.ts";
import type { PostgresDatabase } from "./connections/postgres-database.ts";
import type { Payment } from "./connections/watched-read.ts";
import { PostgresHistory } from "./history/postgres-history.ts";
import { PostgresJobs } from "./jobs/postgres-jobs.ts";
import type { WhereOf } from "./load/export-all.ts";
import { judgeDatabase } from "./load/judge-database.ts";
import { type IncomingMember, incomingMembers, type LoadContext } from "./load/replace-database.ts";
import { WholeData } from "./load/whole-data.ts";
import { anyRowHas, factsSql, findRows, heldPaths, type Search } from "./read/find-rows.ts";
import { GatheredReads } from "./read/gathered-reads.ts";
import { groupByDatabase } from "./read/group-by-database.ts";
import { queryStatistics } from "./read/query-statistics.ts";
import {
  groupRelated,
  type PartRow,
  RELATED_LIMIT,
  readRelated,
  relatedParts,
  withRelatedSql,
} from "./read/select-relations.ts";
import { conditionSql } from "./read/where-sql.ts";
import { StoredSandboxes } from "./sandboxes/stored-sandboxes.ts";
import { all, listHasSql, textIsSql } from "./sql/conditions.ts";
import { name, run, sql } from "./sql/fragment.ts";
import { Catalogue, type KnownMember } from "./tables/catalogue.ts";
import { encodeText } from "./tables/coded-text.ts";
import { type RecordRow, recordsIn, singletonFromRow } from "./tables/row.ts";
import { StoredSecrets } from "./tables/stored-secrets.ts";
import { removeOldChanges } from "./write/changes.ts";
import { fetchIdFacts, fetchRecords, recordSql } from "./write/fetch-records.ts";
import { applyJudged } from "./write/judged-write.ts";
import { countRequest, removeExpiredRates } from "./write/rates.ts";
import { RemoteChanges } from "./write/remote-changes.ts";
import { findReceipt, keepReceipt } from "./write/stored-receipts.ts";
import { WriteLane } from "./write/write-lane.ts";

/** The interval at which expired rows are removed. */
const SWEEP_MS = 60_000;

const NO_RECORDS: ReadonlyMap<string, StoredRecord> = new Map();

export interface PostgresStoreOptions {
  readonly database: PostgresDatabase;
  readonly url: string;
  readonly epoch: string;
  readonly load: LoadContext;
  readonly completions: Completions | undefined;
}

/** Records in PostgreSQL, shared with any number of other processes. Only the catalogue is held in memory. */
export class PostgresStore implements Store {
  readonly engine = "postgres";
  readonly hasOtherWriters = true;
  readonly surveyLimit = 10_000;
  readonly place: string;
  readonly defaultIdKey: string;
  readonly epoch: string;
  /** The operations on all data at once. */
  readonly data: WholeData;
  readonly snapshots: SharedSnapshots;
  readonly history: PostgresHistory | undefined;
  readonly jobs: PostgresJobs;
  readonly secrets: StoredSecrets;
  readonly sandboxes: StoredSandboxes;
  readonly #database: PostgresDatabase;
  readonly #load: LoadContext;
  readonly #catalogue: Catalogue;
  readonly #completions: Completions | undefined;
  readonly #rules: RecordRules | undefined;
  readonly #lanes = new Map<string, WriteLane>();
  readonly #statistics = new Map<string, { version: string; statistics: Statistics }>();
  readonly #changes: RemoteChanges;
  readonly #reads = new GatheredReads((collection, ids) =>
    this.#withMember(collection, async (member, database) =>
      member ? fetchRecords(database, { member, ids }) : NO_RECORDS,
    ),
  );
  readonly #sweeper: NodeJS.Timeout;
  #onHooked: (() => void) | undefined;

  constructor({ database, url, epoch, load, completions }: PostgresStoreOptions) {
    this.#database = database;
    this.#load = load;
    this.#completions = completions;
    this.#rules = load.rules;
    this.defaultIdKey = load.idKeys.default;
    this.epoch = epoch;
    this.place = `${withoutPassword(url)}, schema ${load.schema}`;
    this.#catalogue = new Catalogue((statement) => database.query(statement), load.idKeys);
    this.#changes = new RemoteChanges(database, this.#catalogue, () => {
      this.jobs.tell();
      this.secrets.tell();
    });
    this.data = new WholeData(database, this.#catalogue, load);
    this.snapshots = this.data;
    const { limits } = load.noting;
    this.history = limits && new PostgresHistory({ database, data: this.data, load, limits });
    const hook = (onChange: () => void): void => {
      load.noting.isHooked = true;
      this.#onHooked = onChange;
    };
    this.secrets = new StoredSecrets(database, load.channel);
    this.sandboxes = new StoredSandboxes({ database, catalogue: this.#catalogue, load, completions });
    this.jobs = new PostgresJobs({ database, channel: load.channel, hook });
    this.#sweeper = setInterval(() => void this.#sweep().catch(() => undefined), SWEEP_MS).unref();
  }

  /** Listens to the changes of other processes, for as long as the store is open. */
  listen(): Promise<void> {
    return this.#changes.start(this.#load.channel);
  }

  subscribe(listener: StoreListener): () => void {
    return this.#changes.subscribe(listener);
  }

  announced(): Promise<void> {
    return this.#changes.announced();
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

  idKeyOf(name: string): string {
    return this.#catalogue.get(name)?.idKey ?? this.#load.idKeys.of(name);
  }

  /** People may expect the tables that they have. */
  get notes(): readonly string[] {
    return [
      `standin keeps its own data in the schema ${this.#load.schema} and does not serve existing tables; --tables does`,
    ];
  }

  get load(): string {
    return this.#catalogue.load;
  }

  /** A replacement numbers all members anew. */
  loadOf(name: string): string {
    return String(this.#catalogue.get(name)?.number);
  }

  refresh(): Promise<void> {
    return this.#catalogue.refresh();
  }

  async stamp(names?: readonly string[]): Promise<string> {
    const rows = await this.#database.query((sql) =>
      names
        ? sql<
            { version: string | null }[]
          >`SELECT m.version FROM unnest(${names.map(encodeText)}::text[]) WITH ORDINALITY AS n(name, place)
            LEFT JOIN members m ON m.name = n.name ORDER BY n.place`
        : sql<{ version: string }[]>`SELECT version FROM members ORDER BY position`,
    );
    return `${this.epoch}.${rows.map((row) => row.version ?? 0).join(".")}`;
  }

  get(collection: string, id: string): Promise<StoredRecord | undefined> {
    return this.#reads.get(collection, id);
  }

  async getWith(collection: string, id: string, { relations, stampOf }: GetOptions) {
    return this.#withMember(collection, async (member, database) => {
      if (!member) return undefined;
      const facts = factsSql(member, stampOf);
      const page = recordSql({ member, id, facts });
      const parts = await relatedParts(database, { catalogue: this.#catalogue, relations });
      const rows = await run<PartRow>(database, withRelatedSql(page, parts));
      const { page: found, related } = await readRelated(rows, { catalogue: this.#catalogue, relations });
      // The relations may have been chosen by keys that are no longer all.
      if (found[0]?.edition !== member.edition) throw new OutdatedCatalogue();
      const record = recordsIn(found).find(({ value }) => String(idOf(value, member.idKey)) === id);
      return record && { record, related, stamp: `${this.epoch}.${found[0].versions}` };
    });
  }

  async keyFor(collection: string, id: string): Promise<Id> {
    return this.#withMember(collection, async (member, database) => {
      if (!member) return id;
      const record = (await fetchRecords(database, { member, ids: [id] })).get(id);
      if (record) return idOf(record.value, member.idKey) ?? id;
      const { hasNumbers, hasTexts } = await fetchIdFacts(database, member);
      return hasNumbers || !hasTexts ? lookupKey(id) : id;
    });
  }

  async singleton(name: string): Promise<StoredRecord | undefined> {
    const [row] = await this.#database.query(
      (sql) =>
        sql<
          Omit<RecordRow, "slot">[]
        >`SELECT version, body FROM members WHERE name = ${encodeText(name)} AND kind = 'singleton'`,
    );
    return row && singletonFromRow(row);
  }

  async find(name: string, query: Query, options: FindOptions = {}): Promise<Found> {
    const account = (query.payer ?? options.payer)?.account;
    const isCharged = query.where.length > 0 || query.search !== "";
    return this.#readMember(name, account && { account, isCharged }, async (member, database) => {
      if (!member) return { records: [], total: 0, stamp: `${this.epoch}.0` };
      const { versions, isEmpty: _, ...rest } = await findRows(database, this.#searchFor(member, query, options));
      return versions ? { ...rest, stamp: `${this.epoch}.${versions}` } : rest;
    });
  }

  async group(name: string, query: GroupQuery, options: FindOptions = {}): Promise<Grouped> {
    const account = query.payer?.account;
    return this.#readMember(name, account && { account, isCharged: true }, async (member, database) => {
      if (!member) return { rows: [], stamp: `${this.epoch}.0` };
      const { versions, ...rest } = await groupByDatabase(database, this.#searchFor(member, query, options));
      return versions ? { ...rest, stamp: `${this.epoch}.${versions}` } : rest;
    });
  }

  async heldPaths(collection: string, paths: readonly string[], account?: WorkAccount): Promise<ReadonlySet<string>> {
    return this.#readMember(collection, account && { account, isCharged: true }, async (member, database) =>
      member ? heldPaths(database, member, paths.map(parsePath)) : new Set<string>(),
    );
  }

  /** Each look at the records is a round trip. */
  heldAtHand(): undefined {}

  async related(collection: string, key: Key, values: ReadonlySet<string>): Promise<Map<string, StoredRecord[]>> {
    return this.#withMember(collection, async (member, database) => {
      const groups = new Map<string, StoredRecord[]>();
      if (!member || values.size === 0) return groups;
      const texts = [...values];
      if (key.field === member.idKey) {
        for (const [id, record] of await fetchRecords(database, { member, ids: texts })) {
          if (meetsAll(record.value, key.where)) groups.set(id, [record]);
        }
        return groups;
      }
      const refers = key.isList ? listHasSql(key.field, texts) : textIsSql(member, key.field, texts);
      const where = all([refers, ...(await conditionSql(database, member, key.where))]);
      const rows = await run<RecordRow>(
        database,
        sql`SELECT slot, version, body FROM ${name(member.table)} WHERE ${where} ORDER BY slot ${RELATED_LIMIT}`,
      );
      return inSlices(groupRelated(rows, key, values));
    });
  }

  async heldField(collection: string, fields: readonly string[], isCertain = false): Promise<string | undefined> {
    return this.#withMember(collection, async (member, database) => {
      if (!member) return undefined;
      const seen = fields.filter((field) => member.keys.has(field));
      if (seen.length <= 1 && !isCertain) return seen[0];
      for (const field of seen) {
        if (await anyRowHas(database, member, { text: field, segments: [field] })) return field;
      }
      return undefined;
    });
  }

  indexes(name: string): string[] {
    const member = this.#catalogue.get(name);
    if (member?.kind !== "collection") return [];
    const text = this.#load.hasTrigrams ? ["trigrams of all texts"] : [];
    return ["containment of the record", ...text, ...[...member.sortColumns.keys()].map((path) => `order of ${path}`)];
  }

  async statistics(name: string, where?: readonly Filter[]): Promise<Statistics> {
    return this.#withMember(name, async (member, database) => {
      if (!member) return { count: 0, fields: {} };
      const [row] = await database<
        { version: string; edition: string }[]
      >`SELECT version, edition FROM members WHERE number = ${member.number}`;
      const { version = "", edition = "" } = row ?? {};
      if (where) {
        if (edition !== member.edition) throw new OutdatedCatalogue();
        return queryStatistics(database, member, where);
      }
      const known = this.#statistics.get(name);
      if (known?.version === version) return known.statistics;
      const statistics = await queryStatistics(database, member);
      this.#statistics.set(name, { version, statistics });
      return statistics;
    });
  }

  export(limit?: number, whereOf?: WhereOf): Promise<Exported[]> {
    return this.data.export(limit, whereOf);
  }

  async apply(write: Write, options: ApplyOptions = {}): Promise<Change> {
    const rules = this.#rules;
    if (!rules) return this.#add(write, options);
    if (!rules.isLoaded) await rules.load();
    return applyJudged((one, given) => this.#add(one, given), { write, options, rules });
  }

  #add(write: Write, options: ApplyOptions): Promise<Change> {
    // Writes queue with those to the same member.
    const [name = ""] = membersOf(write);
    let lane = this.#lanes.get(name);
    if (!lane) {
      lane = new WriteLane({
        database: this.#database,
        catalogue: this.#catalogue,
        channel: this.#load.channel,
        completions: this.#completions,
        rules: this.#rules,
        noting: this.#load.noting,
        onNoted: (noted) => {
          this.history?.noteWritten(noted);
          this.#onHooked?.();
        },
      });
      this.#lanes.set(name, lane);
    }
    return lane.add(write, options);
  }

  findReceipt(key: string): Promise<FoundReceipt> {
    return this.#database.query((sql) => findReceipt(sql, key));
  }

  keepReceipt(receipt: Receipt, load: string): Promise<Receipt | undefined> {
    return this.#database.change((sql) => keepReceipt(sql, receipt, load));
  }

  countRequest(key: string, windowSeconds: number, at?: number): Promise<number> {
    return this.#database.query((sql) => countRequest(sql, { key, windowSeconds, at }));
  }

  seed(make: () => JsonObject): Promise<boolean> {
    return this.data.seed(() => incomingMembers(make()));
  }

  alter(edit: MemberEdit, options: ApplyOptions = {}): Promise<void> {
    return this.data.alter(edit, options);
  }

  /** In several steps: those members that it has created go again if the transaction fails. */
  async rearrange({ created, write, removed }: Rearrangement, origin: Origin = {}): Promise<Change> {
    await this.refresh();
    const missing = created.filter(({ name }) => !this.#catalogue.get(name));
    for (const { name, kind } of missing) await this.alter({ kind: "created", name, type: kind }, origin);
    const members = [...new Set([...write.members, ...created.map(({ name }) => name)])];
    try {
      const change = await this.apply({ ...write, members }, origin);
      for (const name of removed()) await this.#removeEmpty(name, origin);
      return change;
    } catch (thrown) {
      for (const { name } of missing) await this.#removeEmpty(name, origin);
      throw thrown;
    }
  }

  /** Others may have written to the collection meanwhile. */
  async #removeEmpty(name: string, origin: Origin): Promise<void> {
    await this.refresh();
    const member = this.#catalogue.get(name);
    if (member && (member.kind === "singleton" || member.count === 0))
      await this.alter({ kind: "removed", name }, origin);
  }

  async swap(database: JsonObject, origin?: Origin): Promise<void> {
    await this.data.replace(incomingMembers(database), false, { cause: "restore", ...origin });
  }

  async remake(make: Remake, origin?: Origin): Promise<void> {
    const remaking = async (read: () => Promise<Exported[]>): Promise<Iterable<IncomingMember>> => {
      const members = await read();
      const database = await inSlices(make(members));
      await judgeDatabase(this.#load, database, async () => members);
      return incomingMembers(database);
    };
    await this.data.remake(remaking, { cause: "restore", ...origin });
  }

  async reset(origin: Origin = {}): Promise<void> {
    if (await this.data.restoreBaseline(origin)) return;
    throw new StandinError(
      "RESET_UNAVAILABLE",
      "This database has no baseline to restore. standin import creates one, and so does --sample in an empty database.",
    );
  }

  /** Reads always see the latest data, so there is nothing to reload. */
  async reload(): Promise<boolean> {
    return false;
  }

  /** Other processes need no address to use the same data. */
  announceAddress(): void {}

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await this.#database.close();
  }

  async #sweep(): Promise<void> {
    const { noting } = this.#load;
    await this.#database.query((sql) => removeExpiredRates(sql, Math.min(Date.now(), noting.now())));
    await this.#database.query(removeOldChanges);
    if (noting.isHooked) await this.jobs.sweep();
  }

  #searchFor<Q extends Query>(member: KnownMember, query: Q, options: FindOptions): Search & { readonly query: Q } {
    const data = `${this.epoch}/${member.number}`;
    return { member, query, options, catalogue: this.#catalogue, data };
  }

  #readMember<T>(
    name: string,
    payment: Payment | undefined,
    read: (member: KnownMember | undefined, database: Statements) => Promise<T>,
  ): Promise<T> {
    if (!payment) return this.#withMember(name, read);
    return this.#withMember(name, (member, database) =>
      this.#database.watched(database, payment, (sql) => read(member, sql)),
    );
  }

  #withMember<T>(name: string, read: (member: KnownMember | undefined, database: Sql) => Promise<T>): Promise<T> {
    return this.#database.queryOn(this.#catalogue, (sql) => {
      const member = this.#catalogue.get(name);
      return read(member?.kind === "collection" ? member : undefined, sql);
    });
  }
}
