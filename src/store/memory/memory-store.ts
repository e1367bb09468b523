import { andThen, type Eventually } from "../../base/eventually.ts";
import type { JsonObject } from "../../base/json/json.ts";
import { inSlices, MAX_AT_ONCE, promptly } from "../../base/slices.ts";
import { ignoredPaths } from "../../query/filter.ts";
import { EVERYTHING } from "../../query/parse-query.ts";
import { parsePath } from "../../query/path.ts";
import type { Filter, Query } from "../../query/query.ts";
import { positionsOf } from "../../query/window.ts";
import type { DeclaredRelations } from "../declared-relations.ts";
import type { HistoryLimits, Origin, StoreHistory } from "../history.ts";
import { type Id, idOf, lookupKey } from "../ids.ts";
import type { Receipt } from "../receipts.ts";
import type {
  ApplyOptions,
  Change,
  Durability,
  Exported,
  FindOptions,
  Found,
  FoundReceipt,
  FoundRecord,
  GetOptions,
  Grouped,
  GroupQuery,
  KeptLog,
  KeptValues,
  Key,
  LeftChange,
  Member,
  MemberEdit,
  PastEvent,
  Rearrangement,
  Remake,
  Statistics,
  Store,
  StoreAtHand,
  StoreListener,
  ValueEdit,
  Write,
} from "../store.ts";
import type { StoredRecord } from "../stored-record.ts";
import { Collection } from "./collection.ts";
import { findAfter } from "./find-after.ts";
import { areKnown, type CountedQuery, findRecords, knownFilters, pathTest } from "./find-records.ts";
import { GroupCache, groupRecords } from "./group-records.ts";
import { offerHistory } from "./history/open-history.ts";
import { PendingIndex } from "./indexes/index-set.ts";
import type { Journal } from "./journal.ts";
import { LiveData, noJournal } from "./live-data.ts";
import { planEdits } from "./plan-change.ts";
import { relatedRecords } from "./related-records.ts";
import type { State } from "./state.ts";
import { summariseRecords } from "./summarise-records.ts";

const NO_OPTIONS: ApplyOptions = {};
/** A moment has no past of its own. */
const NO_PAST: HistoryLimits = { count: 0, maxBytes: 0 };
const RESTORE: Origin = { cause: "restore" };
const RELOAD: Origin = { by: "file", cause: "reload" };

/** A State behind the Store interface. Its journal decides whether changes outlive the process. */
export class MemoryStore implements StoreAtHand {
  readonly engine: string;
  readonly place: string;
  readonly durability: Durability | undefined;
  readonly isFromFile: boolean;
  readonly kept: KeptValues | undefined;
  readonly history: StoreHistory<Store> | undefined;
  declared: DeclaredRelations | undefined;
  readonly #data: LiveData;
  readonly #statistics = new WeakMap<Collection, { version: number; statistics: Statistics }>();
  readonly #groups = new GroupCache();

  constructor(state: State, journalFor: (data: LiveData) => Journal = noJournal, past = state.settings.history) {
    this.#data = new LiveData(state, journalFor, past);
    const { engine, place, durability, isFromFile = false, kept } = this.#data.journal;
    this.engine = engine;
    this.place = place;
    this.durability = durability;
    this.isFromFile = isFromFile;
    this.kept = kept;
    this.history = offerHistory(this.#data, (moment, refusing) => {
      const store = new MemoryStore(moment, () => refusing, NO_PAST);
      // Its epoch has the version: no part of it ever changes.
      store.stamp = () => moment.epoch;
      return store;
    });
  }

  get past(): readonly PastEvent[] | undefined {
    return this.#data.journal.past;
  }

  get atHand(): StoreAtHand {
    return this;
  }

  get defaultIdKey(): string {
    return this.#data.state.idKeys.default;
  }

  get epoch(): string {
    return this.#data.state.epoch;
  }

  members(): Member[] {
    const members: Member[] = [];
    for (const [name, member] of this.#data.state.members()) {
      if (member instanceof Collection) members.push({ name, kind: "collection", count: member.size });
      else if (member.kind === "singleton") members.push({ name, kind: "singleton", count: 1 });
    }
    return members;
  }

  refresh(): void {}

  kindOf(name: string): Member["kind"] | undefined {
    if (this.#data.state.collection(name)) return "collection";
    return this.#data.state.singleton(name) ? "singleton" : undefined;
  }

  idKeyOf(name: string): string {
    return this.#data.state.collection(name)?.idKey ?? this.#data.state.idKeys.of(name);
  }

  stamp(names?: readonly string[]): string {
    if (!names) return `${this.#data.state.epoch}.${this.#data.state.version}`;
    let stamp = this.#data.state.epoch;
    for (const name of names) {
      stamp += `.${this.#data.state.collection(name)?.version ?? this.#data.state.singleton(name)?.version ?? 0}`;
    }
    return stamp;
  }

  get(collection: string, id: string): StoredRecord | undefined {
    return this.#data.state.collection(collection)?.get(id);
  }

  getWith(collection: string, id: string, { stampOf }: GetOptions): FoundRecord | undefined {
    const record = this.get(collection, id);
    return record && { record, stamp: this.stamp(stampOf) };
  }

  keyFor(name: string, id: string): Id {
    const collection = this.#data.state.collection(name);
    const record = collection?.get(id);
    if (collection && record) return idOf(record.value, collection.idKey) ?? id;
    return collection?.hasNumberIds ? lookupKey(id) : id;
  }

  singleton(name: string): StoredRecord | undefined {
    return this.#data.state.singleton(name);
  }

  find(name: string, query: Query, options: FindOptions = {}): Eventually<Found> {
    if (!options.stampOf) return this.#find(name, query, options);
    const stamp = this.stamp(options.stampOf);
    const found = this.#find(name, query, options);
    return found instanceof Promise ? found.then((one) => stamped(one, stamp)) : stamped(found, stamp);
  }

  #find(name: string, query: Query, options: FindOptions, held?: ReadonlySet<string>): Eventually<Found> {
    const collection = this.#data.state.collection(name);
    if (!collection) return { records: [], total: 0 };
    if (!collection.isCreated && !isPage(collection, query)) {
      return collection.create().then(() => this.#find(name, query, options, held));
    }
    let { where } = query;
    // Hot path: filters by fields that most records have.
    if (!areKnown(where, collection)) {
      const has = pathTest(collection, query, held);
      // Starts over: meanwhile a write may have replaced the collection.
      if (has instanceof Promise) return has.then((known) => this.#find(name, query, options, known));
      where = knownFilters(collection, where, has);
    }
    const { trace } = options;
    const { window } = query;
    const found =
      window.kind === "after"
        ? findAfter({ collection, query, window, where, data: `${this.#data.state.epoch}/${name}`, trace })
        : findRecords(collection, query as CountedQuery, where, trace);
    if (found instanceof PendingIndex) return found.done.then(() => this.find(name, query, options));
    if (where.length === query.where.length || collection.size === 0) return found;
    const ignored = ignoredPaths(query.where, where);
    return andThen(found, (one) => ({ ...one, ignored }));
  }

  group(name: string, query: GroupQuery, options: FindOptions = {}, held?: ReadonlySet<string>): Eventually<Grouped> {
    const collection = this.#data.state.collection(name);
    if (!collection) return { rows: [] };
    if (!collection.isCreated) return collection.create().then(() => this.group(name, query, options, held));
    const has = pathTest(collection, query, held);
    if (has instanceof Promise) return has.then((found) => this.group(name, query, options, found));
    const stamp = options.stampOf && this.stamp(options.stampOf);
    const where = knownFilters(collection, query.where, has);
    const ignored = collection.size === 0 ? undefined : ignoredPaths(query.where, where);
    const { trace } = options;
    const grouped = (rows: readonly JsonObject[]): Grouped => ({
      rows,
      ...(stamp !== undefined && { stamp }),
      ignored,
    });
    const known = options.trace ? undefined : this.#groups.get(collection, query);
    if (known) return grouped(known);
    const { version } = collection;
    const rows = groupRecords({ collection, query, grouping: query.grouping, where, trace });
    if (rows instanceof PendingIndex) return rows.done.then(() => this.group(name, query, options));
    return andThen(rows, (made) => {
      if (collection.version === version) this.#groups.set(collection, query, made);
      return grouped(made);
    });
  }

  heldAtHand(name: string, path: string): boolean | undefined {
    const collection = this.#data.state.collection(name);
    return collection ? collection.hasPathAtHand(parsePath(path)) : false;
  }

  heldPaths(name: string, paths: readonly string[]): Eventually<ReadonlySet<string>> {
    return this.#data.state.collection(name)?.heldPaths(paths.map(parsePath)) ?? new Set<string>();
  }

  related(name: string, key: Key, values: ReadonlySet<string>): Eventually<Map<string, StoredRecord[]>> {
    const collection = this.#data.state.collection(name);
    if (!collection) return new Map();
    if (!collection.isCreated) return collection.create().then(() => this.related(name, key, values));
    const related = relatedRecords(collection, key, values);
    return related instanceof PendingIndex ? related.done.then(() => this.related(name, key, values)) : related;
  }

  heldField(name: string, fields: readonly string[]): Eventually<string | undefined> {
    const collection = this.#data.state.collection(name);
    if (collection && !collection.isCreated) return collection.create().then(() => this.heldField(name, fields));
    return collection && fields.find((field) => collection.holds(field));
  }

  indexes(name: string): string[] {
    return this.#data.state.collection(name)?.indexes?.names ?? [];
  }

  /** Computed once per version of the collection. */
  statistics(name: string, where?: readonly Filter[]): Eventually<Statistics> {
    const collection = this.#data.state.collection(name);
    if (!collection) return { count: 0, fields: {} };
    if (where) {
      return andThen(this.find(name, { ...EVERYTHING, where }), ({ records }) => promptly(summariseRecords(records)));
    }
    const known = this.#statistics.get(collection);
    if (known?.version === collection.version) return known.statistics;
    const { version } = collection;
    return andThen(promptly(summariseRecords(collection.lend())), (statistics) => {
      this.#statistics.set(collection, { version, statistics });
      return statistics;
    });
  }

  export(limit?: number): Eventually<Exported[]> {
    if (limit !== undefined) return this.#data.sample(limit);
    const { state } = this.#data;
    return state.isCreated ? this.#data.lend() : state.create().then(() => this.export());
  }

  peek(): Exported[] {
    return this.#data.peek();
  }

  staleCopies(): readonly (readonly Exported[])[] {
    return this.#data.journal.staleCopies?.() ?? [];
  }

  apply(write: Write, options = NO_OPTIONS): Promise<Change> {
    return this.#data.apply(write, options);
  }

  alter(edit: MemberEdit, options = NO_OPTIONS): Promise<void> {
    return this.#data.alter(edit, options);
  }

  async edit(edits: readonly ValueEdit[]): Promise<Change> {
    return this.#data.journal.commit(planEdits(this.#data.state, edits), NO_OPTIONS);
  }

  findReceipt(key: string): FoundReceipt {
    const { receipts, epoch } = this.#data.state;
    return { receipt: receipts.get(key), load: epoch };
  }

  async keepReceipt(receipt: Receipt, load: string): Promise<undefined> {
    await this.#data.keepReceipt(receipt, load);
  }

  swap(database: JsonObject, origin: Origin = RESTORE): Promise<void> {
    return this.#data.journal.exchange(() => this.#data.state.loadNext(database), origin);
  }

  remake(make: Remake, origin: Origin = RESTORE): Promise<void> {
    const next = async (): Promise<State> => {
      const { state } = this.#data;
      if (!state.isCreated) await state.create();
      return this.#data.judged(state.loadNext(await inSlices(make(this.#data.lend()))));
    };
    return this.#data.journal.exchange(next, origin);
  }

  rearrange(rearrangement: Rearrangement, origin: Origin = NO_OPTIONS): Promise<Change> {
    return this.#data.rearrange(rearrangement, origin);
  }

  swapAtOnce(database: JsonObject): Promise<void> {
    return this.#data.journal.swapNow(database, NO_OPTIONS);
  }

  reset(origin?: Origin): Promise<void> {
    const { journal } = this.#data;
    const restore = (): Promise<void> =>
      journal.exchange(() => this.#data.baseline.fork(), { cause: "reset", ...origin });
    return journal.loadBaseline?.()?.then(restore) ?? restore();
  }

  rekey(idKey: string, warn?: (text: string) => void): void {
    this.#data.baseline = this.#data.baseline.withIdKey(idKey);
    this.#data.replace(this.#data.state.withIdKey(idKey, warn), NO_OPTIONS);
  }

  branch(): State {
    return this.#data.state.branch();
  }

  async reload(origin: Origin = RELOAD): Promise<boolean> {
    return this.#data.journal.reload?.(origin) ?? false;
  }

  subscribe(listener: StoreListener): () => void {
    return this.#data.subscribe(listener);
  }

  announceAddress(url: string): void {
    this.#data.journal.announceAddress?.(url);
  }

  openLog(kind: string, isNoted: () => Promise<void>): KeptLog | undefined {
    return this.#data.journal.openLog?.(kind, isNoted);
  }

  get leftChanges(): readonly LeftChange[] | undefined {
    return this.#data.journal.leftChanges;
  }

  close(): Promise<void> {
    return this.#data.journal.close();
  }
}

/** Written into the result, which belongs to one query: copying it would take longer than finding a page. */
function stamped(found: Found, stamp: string): Found {
  found.stamp = stamp;
  return found;
}

/** Whether the query reads nothing but a few neighbouring records. */
function isPage({ size }: Collection, { where, search, sort, window }: Query): boolean {
  if (where.length > 0 || search !== "" || sort.length > 0 || window.kind === "after") return false;
  const { from, to } = positionsOf(window, size);
  return to - from <= MAX_AT_ONCE;
}
