import { andThen, type Eventually } from "../../base/eventually.ts";
import type { JsonObject } from "../../base/json/json.ts";
import type { WorkAccount } from "../../base/work-account.ts";
import type { Query } from "../../query/query.ts";
import type { Origin, StoreHistory } from "../history.ts";
import type { Id } from "../ids.ts";
import type { Receipt } from "../receipts.ts";
import { slice } from "../slice.ts";
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
  Key,
  Member,
  MemberEdit,
  Relation,
  Remake,
  Statistics,
  Store,
  StoreEvent,
  StoreListener,
  StoreView,
  Write,
} from "../store.ts";
import type { StoredRecord } from "../stored-record.ts";
import { applyGuarded } from "./apply-guarded.ts";
import { GuardedHistory } from "./guarded-history.ts";
import { type Allowed, accessDenied, meetsPermit, type StorePermit } from "./permit.ts";
import { seenEvent } from "./seen-event.ts";

/**
 * A store as one user sees it. The rules of the permit are further conditions of every read, and every write is judged by
 * them. Routes need not know of it: nothing that they ask for can show a record which the user may not read.
 */
export class GuardedStore implements Store {
  readonly engine: string;
  readonly place: string;
  readonly durability: Durability | undefined;
  readonly isFromFile: boolean;
  readonly hasOtherWriters: boolean;
  readonly defaultIdKey: string;
  readonly history: StoreHistory<Store> | undefined;
  readonly view: StoreView;
  readonly surveyLimit?: number;
  readonly branch?: () => object;
  readonly #store: Store;
  readonly #permit: StorePermit;
  /** The records that the user may read, by collection, as of the last `refresh`. */
  #counts: ReadonlyMap<string, number> = new Map();

  constructor(store: Store, permit: StorePermit) {
    this.#store = store;
    this.#permit = permit;
    this.engine = store.engine;
    this.place = store.place;
    this.durability = store.durability;
    this.isFromFile = store.isFromFile ?? false;
    this.hasOtherWriters = store.hasOtherWriters ?? false;
    this.defaultIdKey = store.defaultIdKey;
    this.view = {
      of: store.view?.of ?? store,
      seen: (event) => {
        const seen = store.view ? store.view.seen(event) : event;
        return seen && seenEvent(seen, permit);
      },
    };
    if (store.surveyLimit !== undefined) this.surveyLimit = store.surveyLimit;
    if (store.branch && permit.isAdmin) this.branch = store.branch.bind(store);
    const guarded = (other: Store): Store => new GuardedStore(other, permit);
    this.history = store.history && new GuardedHistory(store.history, { permit, guarded, names: store });
  }

  get epoch(): string {
    return this.#store.epoch;
  }

  members(): Member[] {
    return this.#store.members().map((member) => {
      if (this.#readOf(member.name) === undefined || member.kind === "singleton") return member;
      return { ...member, count: this.#counts.get(member.name) ?? 0 };
    });
  }

  kindOf(name: string): Member["kind"] | undefined {
    return this.#store.kindOf(name);
  }

  idKeyOf(collection: string): string {
    return this.#store.idKeyOf(collection);
  }

  /** Counts the records, too: those that others own must not show in the number. */
  refresh(): Eventually<void> {
    return andThen(this.#store.refresh(), async () => {
      const limited = this.#store
        .members()
        .filter(({ name, kind }) => kind === "collection" && this.#readOf(name) !== undefined);
      this.#counts = new Map(
        await Promise.all(limited.map(async ({ name }) => [name, (await this.find(name, slice(0, 0))).total] as const)),
      );
    });
  }

  stamp(names?: readonly string[]): Eventually<string> {
    return andThen(this.#store.stamp(names), (stamp) => this.#marked(stamp, names));
  }

  get(collection: string, id: string): Eventually<StoredRecord | undefined> {
    const record = this.#store.get(collection, id);
    // Hot path: no function per request.
    if (record instanceof Promise) return record.then((one) => this.#seen(collection, one));
    return this.#seen(collection, record);
  }

  getWith(collection: string, id: string, options: GetOptions): Eventually<FoundRecord | undefined> {
    const relations = options.relations.map((relation) => this.#limitedRelation(relation));
    return andThen(this.#store.getWith(collection, id, { ...options, relations }), (found) => {
      if (!found || !this.#seen(collection, found.record)) return undefined;
      return { ...found, stamp: this.#marked(found.stamp, options.stampOf) };
    });
  }

  keyFor(collection: string, id: string): Eventually<Id> {
    return this.#store.keyFor(collection, id);
  }

  singleton(name: string): Eventually<StoredRecord | undefined> {
    return andThen(this.#store.singleton(name), (record) => this.#seen(name, record));
  }

  find(collection: string, query: Query, options: FindOptions = {}): Eventually<Found> {
    const read = this.#readOf(collection);
    if (read && options.trace) throw accessDenied(`How a query on ${collection} runs tells of records of others.`);
    const given = options.with
      ? { ...options, with: options.with.map((relation) => this.#limitedRelation(relation)) }
      : options;
    const found = this.#store.find(collection, limited(query, read), given);
    if (found instanceof Promise) return found.then((one) => this.#seenFound(one, options));
    return this.#seenFound(found, options);
  }

  group(collection: string, query: GroupQuery, options: FindOptions = {}): Eventually<Grouped> {
    const read = this.#readOf(collection);
    if (read && options.trace) throw accessDenied(`How a query on ${collection} runs tells of records of others.`);
    return andThen(this.#store.group(collection, limited(query, read), options), (grouped) => ({
      ...grouped,
      ...(grouped.stamp !== undefined && { stamp: this.#marked(grouped.stamp, options.stampOf) }),
    }));
  }

  related(collection: string, key: Key, values: ReadonlySet<string>): Eventually<Map<string, StoredRecord[]>> {
    return this.#store.related(collection, { ...key, where: this.#readOf(collection) }, values);
  }

  heldField(collection: string, fields: readonly string[], isCertain?: boolean): Eventually<string | undefined> {
    return this.#store.heldField(collection, fields, isCertain);
  }

  heldPaths(collection: string, paths: readonly string[], account?: WorkAccount): Eventually<ReadonlySet<string>> {
    return this.#store.heldPaths(collection, paths, account);
  }

  heldAtHand(collection: string, path: string): boolean | undefined {
    return this.#store.heldAtHand(collection, path);
  }

  indexes(collection: string): string[] {
    return this.#store.indexes(collection);
  }

  statistics(collection: string): Eventually<Statistics> {
    return this.#store.statistics(collection, this.#readOf(collection));
  }

  async export(limit?: number): Promise<Exported[]> {
    const members = await this.#store.export(limit, (name) => this.#readOf(name));
    const seen = members.map(async (member): Promise<Exported[]> => {
      const read = this.#readOf(member.name);
      if (!read) return [member];
      if (member.kind === "aside") return [];
      if (member.kind === "singleton") return meetsPermit(member.record, read) ? [member] : [];
      const records =
        limit === undefined
          ? member.records.filter((record) => meetsPermit(record, read))
          : (await this.find(member.name, slice(0, limit))).records;
      return [{ ...member, records }];
    });
    return (await Promise.all(seen)).flat();
  }

  apply(write: Write, options: ApplyOptions = {}): Promise<Change> {
    const { receipt } = options;
    const given = receipt ? { ...options, receipt: { ...receipt, key: this.#ownKey(receipt.key) } } : options;
    return applyGuarded(this.#store, { write, options: given, permit: this.#permit });
  }

  findReceipt(key: string): Eventually<FoundReceipt> {
    return this.#store.findReceipt(this.#ownKey(key));
  }

  keepReceipt(receipt: Receipt, load: string): Promise<Receipt | undefined> {
    return this.#store.keepReceipt({ ...receipt, key: this.#ownKey(receipt.key) }, load);
  }

  async alter(edit: MemberEdit, options?: ApplyOptions): Promise<void> {
    this.#expectAdmin("create, rename or remove a collection");
    await this.#store.alter(edit, options);
  }

  async swap(database: JsonObject, origin?: Origin): Promise<void> {
    this.#expectAdmin("replace all data");
    await this.#store.swap(database, origin);
  }

  async remake(make: Remake, origin?: Origin): Promise<void> {
    this.#expectAdmin("replace all data");
    await this.#store.remake(make, origin);
  }

  async reset(origin?: Origin): Promise<void> {
    this.#expectAdmin("reset the data");
    await this.#store.reset(origin);
  }

  async reload(origin?: Origin): Promise<boolean> {
    this.#expectAdmin("reload the data");
    return this.#store.reload(origin);
  }

  subscribe(listener: StoreListener): () => void {
    return this.#store.subscribe((event: StoreEvent) => {
      const seen = this.view.seen(event);
      if (seen) listener(seen);
    });
  }

  async announced(): Promise<void> {
    await this.#store.announced?.();
  }

  announceAddress(url: string): void {
    this.#store.announceAddress(url);
  }

  /** A view ends with its store. */
  async close(): Promise<void> {}

  #readOf(name: string): Allowed {
    return this.#permit.of(name).read;
  }

  #seen(name: string, record: StoredRecord | undefined): StoredRecord | undefined {
    return record && meetsPermit(record, this.#readOf(name)) ? record : undefined;
  }

  /** Written into the result, which belongs to one query. */
  #seenFound(found: Found, options: FindOptions): Found {
    if (found.stamp !== undefined) found.stamp = this.#marked(found.stamp, options.stampOf);
    return found;
  }

  #limitedRelation(relation: Relation): Relation {
    return { ...relation, where: this.#readOf(relation.collection) };
  }

  /** Tells the versions of users apart where they may see different records. */
  #marked(stamp: string, names: readonly string[] | undefined): string {
    const isLimited = names === undefined || names.some((name) => this.#readOf(name) !== undefined);
    return isLimited ? `${stamp}.${this.#permit.mark}` : stamp;
  }

  /** The same key of another user is another key. */
  #ownKey(key: string): string {
    return `${key} ${this.#permit.mark}`;
  }

  #expectAdmin(what: string): void {
    if (!this.#permit.isAdmin) throw accessDenied(`Only an admin may ${what}.`);
  }
}

/** Hot path: a query without a rule stays as it is. */
function limited<Q extends Query>(query: Q, read: Allowed): Q {
  return read ? { ...query, where: [...query.where, ...read] } : query;
}
