import { StandinError } from "../../../base/errors.ts";
import { inSlices } from "../../../base/slices.ts";
import type {
  ExchangeOptions,
  HistoryLimits,
  KeptVersion,
  StoreHistory,
  VersionPage,
  VersionQuery,
} from "../../history.ts";
import { randomId } from "../../ids.ts";
import { noWrites } from "../../memory/history/store-history.ts";
import { MemoryStore } from "../../memory/memory-store.ts";
import { State } from "../../memory/state.ts";
import type { Change, Exported, Store } from "../../store.ts";
import type { PostgresDatabase } from "../connections/postgres-database.ts";
import { judgeDatabase } from "../load/judge-database.ts";
import type { IncomingMember, LoadContext } from "../load/replace-database.ts";
import type { WholeData } from "../load/whole-data.ts";
import { run, sql } from "../sql/fragment.ts";
import { beginHistory, dropAll, type HistoryBounds, latestVersion, readBounds, waitForWriters } from "./bounds.ts";
import type { EarlierContent } from "./earlier-data.ts";
import { findVersion, listVersions } from "./list-versions.ts";
import { NEWEST, type NotedChange } from "./noted-versions.ts";

/** The most records of which an earlier moment is put together in memory. */
const MAX_RECORDS = 100_000;
/** The moments that stay at hand. */
const MAX_MOMENTS = 2;
/** Looks for versions beyond the limits once this part of them is new, and not more often than this. */
const LOOK_AFTER = 4;
const LOOK_EVERY_MS = 1000;

interface HistoryParts {
  readonly database: PostgresDatabase;
  readonly data: WholeData;
  readonly load: LoadContext;
  readonly limits: HistoryLimits;
}

/** The past of data in PostgreSQL, which all processes on it share. */
export class PostgresHistory implements StoreHistory<Store> {
  readonly #parts: HistoryParts;
  /** Part of every ETag of the past, so that none outlives this process. */
  readonly #id = randomId();
  readonly #moments = new Map<number, Promise<MemoryStore>>();
  #bounds: HistoryBounds = { oldest: 0, oldestTime: 0, latest: 0 };
  #unseen = { versions: 0, bytes: 0, since: 0 };

  constructor(parts: HistoryParts) {
    this.#parts = parts;
  }

  /** Call it once, before anything else. */
  async begin(): Promise<void> {
    await this.#parts.database.query((database) => beginHistory(database, this.#parts.load.noting.now()));
    await this.refresh();
  }

  async refresh(): Promise<void> {
    const { database, limits, load } = this.#parts;
    this.#unseen = { versions: 0, bytes: 0, since: performance.now() };
    this.#bounds = await database.query((one) => readBounds(one, limits, load.noting.now()));
  }

  /** Drops old versions now and then, as this process adds new ones: looking after every write would cost too much. */
  noteWritten(noted: readonly NotedChange[]): void {
    const { count = Number.POSITIVE_INFINITY, maxBytes } = this.#parts.limits;
    const unseen = this.#unseen;
    unseen.versions += noted.length;
    for (const { edits } of noted) unseen.bytes += edits?.length ?? 0;
    const isDue = unseen.versions > Math.max(NEWEST, count / LOOK_AFTER) || unseen.bytes > maxBytes / LOOK_AFTER;
    if (isDue && performance.now() - unseen.since >= LOOK_EVERY_MS) void this.refresh().catch(() => undefined);
  }

  get oldest(): number {
    return this.#bounds.oldest;
  }

  get latest(): number {
    return this.#bounds.latest;
  }

  versionOf({ noted }: Change): number | undefined {
    return noted?.version;
  }

  isTooLarge({ noted }: Change): boolean {
    return noted?.isKept === false;
  }

  list(query: VersionQuery): Promise<VersionPage> {
    return this.#parts.database.query((database) => listVersions(database, query));
  }

  async find(version: number): Promise<KeptVersion> {
    const found = await this.#parts.database.query((database) => findVersion(database, version));
    if (found?.isKept) return found;
    if (found) {
      throw new StandinError(
        "HISTORY_TOO_LARGE",
        `Version ${version} is listed, but its records were not kept: ${found.cause ?? "the change was too large"}.`,
      );
    }
    await this.refresh();
    if (version > this.oldest) {
      throw new StandinError("VERSION_NOT_FOUND", `There is no version ${version}. GET /__history lists them.`);
    }
    throw this.#gone(version);
  }

  async versionAt(time: number): Promise<number> {
    const { oldest, oldestTime } = this.#bounds;
    const [found] = await this.#parts.database.query((database) =>
      run<{ version: string }>(
        database,
        sql`SELECT version FROM history WHERE time <= ${time} AND version >= ${oldest} ORDER BY version DESC LIMIT 1`,
      ),
    );
    if (found) return Number(found.version);
    return oldestTime <= time ? oldest : oldest - 1;
  }

  expect(version: number): void {
    if (version < this.oldest) throw this.#gone(version);
    if (version <= this.latest) return;
    throw new StandinError("QUERY_INVALID", `Version ${version} is still to come: the latest is ${this.latest}.`);
  }

  #gone(version: number): StandinError {
    const { oldest } = this;
    const message = `Version ${version} is gone: the oldest that is kept is ${oldest}.`;
    return new StandinError("HISTORY_GONE", message, {}, { oldest });
  }

  async at(version: number): Promise<MemoryStore> {
    this.expect(version);
    const known = this.#moments.get(version);
    if (known) return known;
    const making = this.#open(version);
    this.#moments.set(version, making);
    making.catch(() => this.#moments.delete(version));
    const [oldest] = this.#moments.keys();
    if (this.#moments.size > MAX_MOMENTS && oldest !== undefined) this.#moments.delete(oldest);
    return making;
  }

  async #open(version: number): Promise<MemoryStore> {
    const contents = await this.#contents(version);
    const idKeys = contents.flatMap(({ kind, name, idKey }): [string, string][] =>
      kind === "collection" ? [[name, idKey]] : [],
    );
    const empty = State.load({}, this.#parts.load.idKeys.present);
    const members = contents.map(({ aside, records, ...member }) => {
      const values = member.kind === "aside" ? [aside] : records.map(({ value }) => value);
      return { ...member, version, values, records };
    });
    const epoch = `${this.#id}@${version}`;
    const state = empty.restore({ version, epoch, idKeys: new Map(idKeys), members });
    const store = new MemoryStore(state, () => noWrites(state));
    // Its epoch has the version: no part of it ever changes.
    store.stamp = () => epoch;
    return store;
  }

  async #contents(version: number): Promise<EarlierContent[]> {
    const earlier = await this.#parts.data.readEarlier(version, MAX_RECORDS);
    if (earlier) return inSlices(earlier.members());
    throw new StandinError(
      "HISTORY_UNAVAILABLE",
      `On PostgreSQL, earlier moments of at most ${MAX_RECORDS} records can be read, and this data has more. ` +
        "GET /__history/<version> shows each change, and POST /__history/<version>/revert takes one back.",
    );
  }

  async settled(): Promise<number> {
    const latest = await this.#parts.database.change(async (database) => {
      await waitForWriters(database);
      return latestVersion(database);
    });
    await this.refresh();
    return latest;
  }

  async restore(version: number, options: ExchangeOptions = {}): Promise<void> {
    this.expect(version);
    const contents = await this.#contents(version);
    const members = contents.map(({ kind, name, records, aside }) => {
      if (kind === "aside") return { kind, name, value: aside };
      const values = records.map(({ value }) => value);
      if (kind === "singleton") return { kind, name, value: values[0] ?? {} };
      return { kind, name, values, slots: records.map(({ slot }) => slot) };
    });
    const database = Object.fromEntries(
      members.map((member) => [member.name, member.kind === "collection" ? member.values : member.value]),
    );
    const remaking = async (read: () => Promise<Exported[]>): Promise<Iterable<IncomingMember>> => {
      await judgeDatabase(this.#parts.load, database, read);
      return members;
    };
    await this.#parts.data.remake(remaking, { cause: "restore", ...options });
    await this.refresh();
  }

  async clear(): Promise<void> {
    const { database, load } = this.#parts;
    await database.change((one) => dropAll(one, load.noting.now()));
    this.#moments.clear();
    await this.refresh();
  }
}
