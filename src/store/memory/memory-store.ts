import { setImmediate as nextTurn } from "node:timers/promises";
import type { JsonObject } from "../../base/json/json.ts";
import { eventually, inSlices, MAX_AT_ONCE, promptly, STEP, type Work } from "../../base/slices.ts";
import { conditionsIn } from "../../query/filter.ts";
import { mentionedPaths } from "../../query/mentioned-paths.ts";
import { type Path, parsePath } from "../../query/path.ts";
import type { Filter, Query } from "../../query/query.ts";
import { positionsOf } from "../../query/window.ts";
import { dataTooLarge, isTooLong, MAX_TEXT } from "../data-too-large.ts";
import { type Id, idOf, lookupKey } from "../ids.ts";
import type { InMemoryStore } from "../in-memory.ts";
import { isExpired, type Receipt, RequestRepeated } from "../receipts.ts";
import type { RecordRules } from "../record-rules.ts";
import { refuseMemberEdit } from "../refuse-member-edit.ts";
import {
  type ApplyOptions,
  type Change,
  closeReceipt,
  type Eventually,
  type Exported,
  type FindOptions,
  type Found,
  type FoundReceipt,
  type Grouped,
  type GroupQuery,
  type Key,
  type Member,
  type MemberEdit,
  type OpenReceipt,
  type RecordEdit,
  type SingleWrite,
  type Statistics,
  type StoreEvent,
  type StoreListener,
  type TransactionWrite,
  type Write,
} from "../store.ts";
import { areLight, renderTexts, type StoredRecord } from "../stored-record.ts";
import { PlannedTransaction } from "../transaction.ts";
import { unknownField } from "../unknown-field.ts";
import { Collection } from "./collection.ts";
import { findAfter } from "./find-after.ts";
import { type CountedQuery, findRecords, isIgnorable, knownFilters } from "./find-records.ts";
import { GroupCache } from "./group-cache.ts";
import { groupRecords } from "./group-records.ts";
import { PendingIndex } from "./indexes/index-set.ts";
import { planChange, planCreate, planEdits } from "./plan-change.ts";
import { relatedRecords } from "./related-records.ts";
import type { State } from "./state.ts";
import { summariseRecords } from "./summarise-records.ts";
import { transactionBase } from "./transaction-base.ts";

/** A change as it is stored; in parts if it is long. */
type Encoded = string | readonly string[];

/** The State behind the Store interface. Nothing outlives the process. */
export class MemoryStore implements InMemoryStore {
  readonly engine: string = "memory";
  readonly place: string;
  protected state: State;
  /** The state that a reset restores. */
  protected baseline: State;
  readonly #listeners = new Set<StoreListener>();
  /** Settles when the large write that is being prepared is committed. */
  #preparing: Promise<void> | undefined;
  readonly #statistics = new Map<string, { version: number; statistics: Statistics }>();
  readonly #groups = new GroupCache();

  constructor(state: State, place = "memory only, nothing is written") {
    this.place = place;
    this.state = state;
    this.baseline = state.fork();
  }

  get defaultIdKey(): string {
    return this.state.idKeys.default;
  }

  get epoch(): string {
    return this.state.epoch;
  }

  members(): Member[] {
    const members: Member[] = [];
    for (const [name, member] of this.state.members()) {
      if (member instanceof Collection) members.push({ name, kind: "collection", count: member.size });
      else if (member.kind === "singleton") members.push({ name, kind: "singleton", count: 1 });
    }
    return members;
  }

  refresh(): void {}

  kindOf(name: string): Member["kind"] | undefined {
    if (this.state.collection(name)) return "collection";
    return this.state.singleton(name) ? "singleton" : undefined;
  }

  idKeyOf(name: string): string {
    return this.state.collection(name)?.idKey ?? this.state.idKeys.of(name);
  }

  stamp(names?: readonly string[]): string {
    if (!names) return `${this.state.epoch}.${this.state.version}`;
    let stamp = this.state.epoch;
    for (const name of names) {
      stamp += `.${this.state.collection(name)?.version ?? this.state.singleton(name)?.version ?? 0}`;
    }
    return stamp;
  }

  get(collection: string, id: string): StoredRecord | undefined {
    return this.state.collection(collection)?.get(id);
  }

  keyFor(name: string, id: string): Id {
    const collection = this.state.collection(name);
    const record = collection?.get(id);
    if (record) return idOf(record.value, collection!.idKey) ?? id;
    return collection?.hasNumberIds ? lookupKey(id) : id;
  }

  singleton(name: string): StoredRecord | undefined {
    return this.state.singleton(name);
  }

  find(name: string, query: Query, options: FindOptions = {}): Eventually<Found> {
    if (!options.stampOf) return this.#find(name, query, options);
    const stamp = this.stamp(options.stampOf);
    const found = this.#find(name, query, options);
    return found instanceof Promise ? found.then((one) => stamped(one, stamp)) : stamped(found, stamp);
  }

  #find(name: string, query: Query, options: FindOptions, held?: ReadonlySet<string>): Eventually<Found> {
    const collection = this.state.collection(name);
    if (!collection) return { records: [], total: 0 };
    if (!collection.isCreated && !isPage(collection, query, options)) {
      return collection.create().then(() => this.#find(name, query, options, held));
    }
    let { where } = query;
    // Hot path: filters by fields that most records have.
    if (options.strict || !areKnown(where, collection)) {
      const has = pathTest(collection, query, options, held);
      // Starts over: meanwhile a write may have replaced the collection.
      if (has instanceof Promise) return has.then((known) => this.#find(name, query, options, known));
      if (options.strict) refuseUnknownPaths(collection, query, has);
      where = knownFilters(collection, where, has);
    }
    const { trace } = options;
    const { window } = query;
    const found =
      window.kind === "after"
        ? findAfter({ collection, query, window, where, data: `${this.state.epoch}/${name}`, trace })
        : findRecords(collection, query as CountedQuery, where, trace, options.asText);
    if (found instanceof PendingIndex) return found.done.then(() => this.find(name, query, options));
    if (where.length === query.where.length || collection.size === 0) return found;
    const ignored = ignoredNames(query, where);
    return found instanceof Promise ? found.then((one) => ({ ...one, ignored })) : { ...found, ignored };
  }

  group(name: string, query: GroupQuery, options: FindOptions = {}): Eventually<Grouped> {
    return this.#group(name, query, options);
  }

  #group(name: string, query: GroupQuery, options: FindOptions, held?: ReadonlySet<string>): Eventually<Grouped> {
    const collection = this.state.collection(name);
    if (!collection) return { rows: [] };
    if (!collection.isCreated) return collection.create().then(() => this.#group(name, query, options, held));
    const has = pathTest(collection, query, options, held);
    if (has instanceof Promise) return has.then((found) => this.#group(name, query, options, found));
    if (options.strict) refuseUnknownPaths(collection, query, has);
    const stamp = options.stampOf && this.stamp(options.stampOf);
    const where = knownFilters(collection, query.where, has);
    const hasAll = where.length === query.where.length || collection.size === 0;
    const ignored = hasAll ? undefined : ignoredNames(query, where);
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
    const keep = (made: readonly JsonObject[]): Grouped => {
      this.#groups.set(collection, version, query, made);
      return grouped(made);
    };
    return rows instanceof Promise ? rows.then(keep) : keep(rows);
  }

  heldAtHand(name: string, path: string): boolean | undefined {
    const collection = this.state.collection(name);
    return collection ? collection.hasPathAtHand(parsePath(path)) : false;
  }

  heldPaths(name: string, paths: readonly string[]): Eventually<ReadonlySet<string>> {
    return this.state.collection(name)?.heldPaths(paths.map(parsePath)) ?? new Set<string>();
  }

  related(name: string, key: Key, values: ReadonlySet<string>): Eventually<Map<string, StoredRecord[]>> {
    const collection = this.state.collection(name);
    if (!collection) return new Map();
    if (!collection.isCreated) return collection.create().then(() => this.related(name, key, values));
    const related = relatedRecords(collection, key, values);
    return related instanceof PendingIndex ? related.done.then(() => this.related(name, key, values)) : related;
  }

  heldField(name: string, fields: readonly string[]): Eventually<string | undefined> {
    const collection = this.state.collection(name);
    if (collection && !collection.isCreated) return collection.create().then(() => this.heldField(name, fields));
    return collection && fields.find((field) => collection.holds(field));
  }

  indexes(name: string): string[] {
    return this.state.collection(name)?.indexes?.names ?? [];
  }

  /** Computed once per version of the collection. */
  statistics(name: string): Eventually<Statistics> {
    const collection = this.state.collection(name);
    if (!collection) return { count: 0, fields: {} };
    const known = this.#statistics.get(name);
    if (known?.version === collection.version) return known.statistics;
    const { version } = collection;
    const keep = (statistics: Statistics): Statistics => {
      this.#statistics.set(name, { version, statistics });
      return statistics;
    };
    const statistics = promptly(summariseRecords(collection.lend()));
    return statistics instanceof Promise ? statistics.then(keep) : keep(statistics);
  }

  export(limit?: number): Eventually<Exported[]> {
    if (limit !== undefined) return this.#exported((collection) => collection.slice(0, limit));
    return this.state.isCreated ? this.lendAll() : this.state.create().then(() => this.export());
  }

  /** All current data, for a reader that takes longer than this turn. */
  protected lendAll(state = this.state): Exported[] {
    return this.#exported((collection) => collection.lend(), state);
  }

  peek(): Exported[] {
    return this.#exported((collection) => collection.records);
  }

  #exported(recordsOf: (collection: Collection) => readonly StoredRecord[], state = this.state): Exported[] {
    const exported: Exported[] = [];
    for (const [name, member] of state.members()) {
      if (member instanceof Collection) {
        exported.push({ kind: "collection", name, records: recordsOf(member), version: member.version });
      } else {
        exported.push({ ...member, name, version: member.kind === "singleton" ? member.record.version : 0 });
      }
    }
    return exported;
  }

  apply(write: Write, options: ApplyOptions = NO_OPTIONS): Promise<Change> {
    if (!this.state.isCreated) return this.state.create().then(() => this.apply(write, options));
    if (this.state.rules) return this.#applyJudged(write, options, this.state.rules);
    if (write.kind === "transaction") return this.#write(() => inSlices(planTransaction(this.state, write)), options);
    if (!hasMany(write)) return this.#write(() => planChange(this.state, write), options);
    return this.#write(() => inSlices(planCreate(this.state, write)), options);
  }

  #applyJudged(write: Write, options: ApplyOptions, rules: RecordRules): Promise<Change> {
    if (!rules.isLoaded) return rules.load().then(() => this.apply(write, options));
    if (write.kind === "transaction") return this.#write(() => inSlices(planTransaction(this.state, write)), options);
    return this.#write(() => planJudged(this.state, write, rules), options);
  }

  findReceipt(key: string): FoundReceipt {
    const { receipts, epoch } = this.state;
    return { receipt: receipts.get(key), load: epoch };
  }

  async keepReceipt(receipt: Receipt, load: string): Promise<undefined> {
    await this.prepared();
    if (this.state.epoch === load) await this.carryOutReceipt(receipt);
  }

  async alter(edit: MemberEdit, { isDryRun = false }: ApplyOptions = {}): Promise<void> {
    for (;;) {
      while (this.#preparing) await this.#preparing;
      if (!this.state.isCreated) await this.state.create();
      const { state } = this;
      const { version } = state;
      refuseMemberEdit(edit, state.memberNames());
      if (isDryRun) return;
      const encoding = this.encodeMember(edit);
      if (!encoding) return this.alterNow(edit);
      this.#keepWaiting(encoding);
      const encoded = await encoding;
      // A restore or reload may have replaced all data during a pause.
      if (this.state === state && state.version === version) return this.alterNow(edit, encoded);
    }
  }

  /** Encodes a member with all its records for the journal of a store that needs them, with pauses, while no write runs. */
  protected encodeMember(_edit: MemberEdit): Promise<Encoded> | undefined {
    return undefined;
  }

  /** Commits in this turn; settles when the edit is durable. `encoded` is the result of `encodeMember`. */
  protected async alterNow(edit: MemberEdit, _encoded?: Encoded): Promise<void> {
    this.state.alter(edit);
    this.announce({ kind: "members", version: this.state.version, edit });
  }

  async edit(edits: readonly RecordEdit[]): Promise<Change> {
    return this.carryOut(planEdits(this.state, edits));
  }

  /** Keeps writes waiting until work with pauses is done, such as the exchange of all data. */
  protected async prepareAlone<T>(work: () => Promise<T>): Promise<T> {
    while (this.#preparing) await this.#preparing;
    const working = work();
    this.#keepWaiting(working);
    return working;
  }

  #keepWaiting(working: Promise<unknown>): void {
    const done = (): void => {
      this.#preparing = undefined;
    };
    this.#preparing = working.then(done, done);
  }

  /** Resolves when no large write is being prepared. */
  protected async prepared(): Promise<void> {
    while (this.#preparing) await this.#preparing;
  }

  #write(plan: () => Eventually<Change>, options: ApplyOptions): Promise<Change> {
    if (this.#preparing) return this.#preparing.then(() => this.#write(plan, options));
    try {
      return this.#writeNow(plan, options);
    } catch (thrown) {
      return Promise.reject(thrown);
    }
  }

  /** Hot path: the only promise of a small write is that of its commit. */
  #writeNow(plan: () => Eventually<Change>, { isDryRun, receipt }: ApplyOptions): Promise<Change> {
    if (receipt) this.#refuseRepeated(receipt);
    const planned = plan();
    if (isDryRun) return Promise.resolve(planned);
    if (!(planned instanceof Promise) && areLight(planned.edits)) {
      return this.#commit(planned, undefined, receipt && closeReceipt(receipt, planned));
    }
    const prepared = this.#prepare(plan, planned, receipt);
    this.#keepWaiting(prepared);
    return prepared.then(({ committed }) => committed);
  }

  /** Several servers in this process may share the data. */
  #refuseRepeated({ key, at }: OpenReceipt): void {
    const kept = this.state.receipts.get(key);
    if (kept && !isExpired(kept, at)) throw new RequestRepeated(kept);
  }

  /** Prepares a large write with pauses: reads go on, other writes wait until it is committed. */
  async #prepare(
    plan: () => Eventually<Change>,
    first: Eventually<Change>,
    open: OpenReceipt | undefined,
  ): Promise<{ committed: Promise<Change> }> {
    for (let planned = first; ; planned = plan()) {
      const { state } = this;
      const { version } = state;
      const change = await planned;
      const isEmpty = change.edits.length === 0;
      if (isEmpty && !open) return { committed: Promise.resolve(change) };
      await inSlices(renderTexts(change.edits)).catch(refuseTooLong);
      const receipt = open && closeReceipt(open, change);
      const line = isEmpty ? undefined : await this.encode(change, receipt).catch(refuseTooLong);
      await inSlices(state.prepare(change));
      // The commit of many records takes a turn of its own.
      if (change.edits.length > STEP) await nextTurn();
      // A restore or reload may have replaced all data during a pause.
      if (this.state !== state || state.version !== version) continue;
      return { committed: this.#commit(change, line, receipt) };
    }
  }

  #commit(change: Change, line: Encoded | undefined, receipt: Receipt | undefined): Promise<Change> {
    if (!receipt || change.edits.length > 0) return this.carryOut(change, line, receipt);
    return this.carryOutReceipt(receipt).then(() => change);
  }

  /** Encodes a large change for the journal of a store that has one, with pauses, while no other write runs. */
  protected async encode(_change: Change, _receipt: Receipt | undefined): Promise<Encoded | undefined> {
    return undefined;
  }

  async swap(database: JsonObject): Promise<void> {
    await this.swapAtOnce(database);
  }

  async swapAtOnce(database: JsonObject): Promise<void> {
    this.exchange(this.state.loadNext(database));
    this.announceExchange();
  }

  async reset(): Promise<void> {
    this.exchange(this.baseline.fork());
    this.announceExchange();
  }

  rekey(idKey: string, warn?: (text: string) => void): void {
    this.baseline = this.baseline.withIdKey(idKey);
    this.exchange(this.state.withIdKey(idKey, warn));
    this.announceExchange();
  }

  staleCopies(): readonly (readonly Exported[])[] {
    return [];
  }

  branch(): State {
    return this.state.branch();
  }

  /** There is no source on the disk that could change. */
  async reload(): Promise<boolean> {
    return false;
  }

  subscribe(listener: StoreListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {}

  /** Commits in this turn; settles when the change is durable. `encoded` is the result of `encode`, if it was called. */
  protected async carryOut(change: Change, _encoded?: Encoded, receipt?: Receipt): Promise<Change> {
    this.commitNow(change);
    if (receipt) this.state.receipts.add(receipt);
    this.announce({ kind: "change", change });
    return change;
  }

  /** Returns a function that undoes the change, while it is the latest one. */
  protected commitNow(change: Change): () => void {
    const { state } = this;
    if (change.isOrdered) return state.commitAtOnce(change);
    state.commit(change);
    return () => state.undo(change);
  }

  /** Does the same for the receipt of a request that changed nothing. */
  protected async carryOutReceipt(receipt: Receipt): Promise<void> {
    this.state.receipts.add(receipt);
  }

  /** Call only for durable changes: listeners must never hear of a change that is undone later. */
  protected announce(event: StoreEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  protected announceExchange(): void {
    this.announce({ kind: "exchange", version: this.state.version });
  }

  /** Replaces the state; versions go on counting. */
  protected exchange(state: State): void {
    state.version = this.state.version + 1;
    this.state = state;
    this.#statistics.clear();
  }
}

function refuseTooLong(thrown: unknown): never {
  throw isTooLong(thrown) ? dataTooLarge("The change", undefined, MAX_TEXT) : thrown;
}

const NO_OPTIONS: ApplyOptions = {};

/** Written into the result, which belongs to one query: copying it would take longer than finding a page. */
function stamped(found: Found, stamp: string): Found {
  found.stamp = stamp;
  return found;
}

/** Whether the first record shows that no filter is ignored. */
function areKnown(where: readonly Filter[], collection: Collection): boolean {
  for (const filter of where) if (isIgnorable(filter) && !collection.hasPathAtHand(filter.path)) return false;
  return collection.size > 0;
}

function ignoredNames(query: Query, where: readonly Filter[]): string[] {
  return query.where
    .filter((filter) => !where.includes(filter))
    .flatMap(conditionsIn)
    .map(({ path }) => path.text);
}

/** Whether the query reads nothing but a few neighbouring records. */
function isPage({ size }: Collection, { where, search, sort, window }: Query, { strict }: FindOptions): boolean {
  if (where.length > 0 || search !== "" || sort.length > 0 || strict || window.kind === "after") return false;
  const { from, to } = positionsOf(window, size);
  return to - from <= MAX_AT_ONCE;
}

type HasPath = (path: Path) => boolean;

/** Tells which of the paths of a query records have. Where looking for them would take long, those that they have. */
function pathTest(
  collection: Collection,
  query: Query,
  { strict = false }: FindOptions,
  held: ReadonlySet<string> | undefined,
): HasPath | Promise<ReadonlySet<string>> {
  if (held) return ({ text }) => held.has(text);
  const needsSearch = (filter: Filter): boolean =>
    isIgnorable(filter) && collection.hasPathAtHand(filter.path) === undefined;
  // Hot path: filters by fields that all records have.
  if (!strict && !query.where.some(needsSearch)) return (path) => collection.hasPath(path);
  const paths = strict ? mentionedPaths(query) : query.where.filter(isIgnorable).map(({ path }) => path);
  if (collection.isLongSearch(paths.length)) {
    const found = collection.heldPaths(paths);
    return found instanceof Promise ? found : ({ text }) => found.has(text);
  }
  return (path) => collection.hasPath(path);
}

function refuseUnknownPaths(collection: Collection, query: Query, has: HasPath): void {
  if (collection.size === 0) return;
  const unknown = mentionedPaths(query).find((path) => !has(path));
  if (unknown) throw unknownField(collection.name, unknown.text, collection.fieldNames());
}

/** Plans a write, and judges the records that it would leave. */
function planJudged(state: State, write: SingleWrite, rules: RecordRules): Eventually<Change> {
  if (hasMany(write)) return inSlices(planManyJudged(state, write, rules));
  const change = planChange(state, write);
  const judging = rules.judge(state, change.edits, write.lenience);
  const judged = judging && eventually(judging);
  return judged ? judged.then(() => change) : change;
}

function* planManyJudged(state: State, write: Creation, rules: RecordRules): Work<Change> {
  const change = yield* planCreate(state, write);
  const judging = rules.judge(state, change.edits, write.lenience);
  if (judging) yield* judging;
  return change;
}

/** Plans all writes of a transaction as one change. */
function* planTransaction(state: State, { run }: TransactionWrite): Work<Change> {
  const transaction = new PlannedTransaction(transactionBase(state), state.rules);
  yield* run(transaction);
  return yield* transaction.change();
}

type Creation = Extract<Write, { kind: "create" }>;

function hasMany(write: SingleWrite): write is Creation {
  return write.kind === "create" && write.bodies.length > STEP;
}
