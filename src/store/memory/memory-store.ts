import { StandinError } from "../../errors.ts";
import { isJsonObject, type JsonObject } from "../../json.ts";
import { didYouMean } from "../../nearest.ts";
import type { Condition, Query } from "../../query/query.ts";
import { textOf } from "../../query/text.ts";
import { inSlices, STEP } from "../../slices.ts";
import { type Id, idOf, lookupKey } from "../ids.ts";
import type { InMemoryStore } from "../in-memory.ts";
import type {
  Change,
  Eventually,
  Exported,
  FindOptions,
  Found,
  Member,
  RecordEdit,
  Statistics,
  StoreEvent,
  StoreListener,
  Write,
} from "../store.ts";
import { areLight, renderTexts, type StoredRecord } from "../stored-record.ts";
import { Collection } from "./collection.ts";
import { Building } from "./indexes/index-set.ts";
import { planChange, planCreate, planEdits } from "./plan.ts";
import { findRecords } from "./planner.ts";
import type { State } from "./state.ts";
import { summarise } from "./statistics.ts";

/** The State behind the Store interface. Nothing is kept beyond the process. */
export class MemoryStore implements InMemoryStore {
  readonly engine: string = "memory";
  readonly place: string;
  protected state: State;
  /** What a reset goes back to. */
  protected baseline: State;
  readonly #listeners = new Set<StoreListener>();
  /** Settles when the large write that is being made ready is in its place. */
  #preparing: Promise<void> | undefined;
  readonly #statistics = new Map<string, { version: number; statistics: Statistics }>();

  constructor(state: State, place = "memory only, nothing is written") {
    this.place = place;
    this.state = state;
    this.baseline = state.fork();
  }

  get idKey(): string {
    return this.state.idKey;
  }

  get epoch(): string {
    return this.state.epoch;
  }

  members(): Member[] {
    const members: Member[] = [];
    for (const [name, member] of this.state.members()) {
      if (member instanceof Collection) members.push({ name, kind: "collection", count: member.records.length });
      else if (member.kind === "singleton") members.push({ name, kind: "singleton", count: 1 });
    }
    return members;
  }

  refresh(): void {}

  kindOf(name: string): Member["kind"] | undefined {
    if (this.state.collection(name)) return "collection";
    return this.state.singleton(name) ? "singleton" : undefined;
  }

  stamp(names?: readonly string[]): string {
    if (!names) return `${this.state.epoch}.${this.state.version}`;
    const versions = names.map(
      (name) => this.state.collection(name)?.version ?? this.state.singleton(name)?.version ?? 0,
    );
    return `${this.state.epoch}.${versions.join(".")}`;
  }

  get(collection: string, id: string): StoredRecord | undefined {
    return this.state.collection(collection)?.get(id);
  }

  keyFor(name: string, id: string): Id {
    const collection = this.state.collection(name);
    const record = collection?.get(id);
    if (record) return idOf(record.value, this.idKey) ?? id;
    return collection?.hasNumberIds ? lookupKey(id) : id;
  }

  singleton(name: string): StoredRecord | undefined {
    return this.state.singleton(name);
  }

  find(name: string, query: Query, options: FindOptions = {}): Eventually<Found> {
    if (!options.stampOf) return this.#find(name, query, options);
    const stamp = this.stamp(options.stampOf);
    // Into what was made for this query alone: a copy would take longer than finding a page.
    const stamped = (found: Found): Found => {
      found.stamp = stamp;
      return found;
    };
    const found = this.#find(name, query, options);
    return found instanceof Promise ? found.then(stamped) : stamped(found);
  }

  #find(name: string, query: Query, options: FindOptions): Eventually<Found> {
    const collection = this.state.collection(name);
    if (!collection) return { records: [], total: 0 };
    const where = knownConditions(collection, query.where, options.strict ?? false);
    const trace = options.trace ?? { steps: [], touched: 0 };
    const found = findRecords(collection, query, where, trace, options.asText);
    // By then a write may have made another collection of it.
    return found instanceof Building ? found.done.then(() => this.find(name, query, options)) : found;
  }

  related(name: string, field: string, values: ReadonlySet<string>): Eventually<Map<string, StoredRecord[]>> {
    const groups = new Map<string, StoredRecord[]>();
    const collection = this.state.collection(name);
    if (!collection) return groups;
    if (field === this.idKey) {
      for (const value of values) {
        const record = collection.get(value);
        if (record) groups.set(value, [record]);
      }
      return groups;
    }
    const candidates = recordsWith(collection, field, values);
    if (candidates instanceof Building) return candidates.done.then(() => this.related(name, field, values));
    for (const record of candidates) {
      const value = isJsonObject(record.value) && Object.hasOwn(record.value, field) ? record.value[field] : undefined;
      if (value === undefined || value === null) continue;
      const text = textOf(value);
      if (!values.has(text)) continue;
      const group = groups.get(text);
      if (group) group.push(record);
      else groups.set(text, [record]);
    }
    return groups;
  }

  heldField(name: string, fields: readonly string[]): string | undefined {
    const collection = this.state.collection(name);
    return collection && fields.find((field) => collection.holds(field));
  }

  indexes(name: string): string[] {
    return this.state.collection(name)?.indexes?.names ?? [];
  }

  /** Counted once per version of the collection. */
  statistics(name: string): Statistics {
    const collection = this.state.collection(name);
    if (!collection) return { count: 0, fields: {} };
    const known = this.#statistics.get(name);
    if (known?.version === collection.version) return known.statistics;
    const statistics = summarise(collection.records);
    this.#statistics.set(name, { version: collection.version, statistics });
    return statistics;
  }

  export(_limit?: number): Exported[] {
    for (const [, member] of this.state.members()) if (member instanceof Collection) member.lend();
    return this.peek();
  }

  peek(): Exported[] {
    const exported: Exported[] = [];
    for (const [name, member] of this.state.members()) {
      if (member instanceof Collection) {
        exported.push({ kind: "collection", name, records: member.records, version: member.version });
      } else {
        exported.push({ ...member, name, version: member.kind === "singleton" ? member.record.version : 0 });
      }
    }
    return exported;
  }

  apply(write: Write): Promise<Change> {
    if (!hasMany(write)) return this.#write(() => planChange(this.state, write));
    return this.#write(() => inSlices(planCreate(this.state, write)));
  }

  async edit(edits: readonly RecordEdit[]): Promise<Change> {
    return this.carryOut(planEdits(this.state, edits));
  }

  /** Resolves when no large write is being made ready any more. */
  protected async prepared(): Promise<void> {
    while (this.#preparing) await this.#preparing;
  }

  async #write(plan: () => Eventually<Change>): Promise<Change> {
    while (this.#preparing) await this.#preparing;
    const planned = plan();
    // Without `await`, the caller would wait three more turns of the microtask queue.
    if (!(planned instanceof Promise) && areLight(planned.edits)) return await this.carryOut(planned);
    const prepared = this.#prepare(plan, planned);
    const goOn = (): void => {
      this.#preparing = undefined;
    };
    this.#preparing = prepared.then(goOn, goOn);
    return (await prepared).kept;
  }

  /** A large write is made ready with pauses: reads go on meanwhile, other writes wait until it is in its place. */
  async #prepare(plan: () => Eventually<Change>, first: Eventually<Change>): Promise<{ kept: Promise<Change> }> {
    for (let planned = first; ; planned = plan()) {
      const { state } = this;
      const { version } = state;
      const change = await planned;
      await inSlices(renderTexts(change.edits));
      const line = await this.describe(change);
      // Everything may have been exchanged for other data in a pause.
      if (this.state === state && state.version === version) return { kept: this.carryOut(change, line) };
    }
  }

  /** Makes what keeping a large change needs, with pauses, while nothing else is written. */
  protected async describe(_change: Change): Promise<string | undefined> {
    return undefined;
  }

  async swap(database: JsonObject): Promise<void> {
    this.exchange(this.state.loadNext(database));
    this.announceExchange();
  }

  async reset(): Promise<void> {
    this.exchange(this.baseline.fork());
    this.announceExchange();
  }

  branch(): State {
    return this.state.branch();
  }

  /** Data that came from nowhere on the disk do not change there. */
  async reload(): Promise<boolean> {
    return false;
  }

  subscribe(listener: StoreListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {}

  /** Commits in this turn; settles when the change is kept. `described` is what `describe` made of it, if it was asked. */
  protected async carryOut(change: Change, _described?: string): Promise<Change> {
    this.state.commit(change);
    this.announce({ kind: "change", change });
    return change;
  }

  /** Only what is kept is announced: whoever listens must never hear of what is taken back. */
  protected announce(event: StoreEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  protected announceExchange(): void {
    this.announce({ kind: "exchange", version: this.state.version });
  }

  /** Puts another state in place of the present one; versions go on counting. */
  protected exchange(state: State): void {
    state.version = this.state.version + 1;
    this.state = state;
    this.#statistics.clear();
  }
}

function hasMany(write: Write): write is Extract<Write, { kind: "create" }> {
  return write.kind === "create" && write.bodies.length > STEP;
}

/** 0.17.4: a plain filter on a field that no record has is passed over; an operator on one matches nothing. */
function knownConditions(collection: Collection, where: readonly Condition[], strict: boolean): Condition[] {
  if (collection.records.length === 0) return [];
  return where.filter((condition) => {
    if (condition.isFromPath || (condition.operator !== "eq" && !strict)) return true;
    if (collection.hasPath(condition.path)) return true;
    if (!strict) return false;
    const fields = collection.fieldNames();
    throw new StandinError(
      "QUERY_FIELD_UNKNOWN",
      `No record of ${collection.name} has a field "${condition.path.text}".` +
        `${didYouMean(condition.path.text, fields)} Fields: ${fields.join(", ")}.`,
    );
  });
}

/** The records whose field may be one of the values, in order within each value: by index where there is one. */
function recordsWith({ indexes, records }: Collection, field: string, values: ReadonlySet<string>) {
  if (!indexes) return records;
  const index = indexes.equality({ text: field, segments: [field] });
  if (index instanceof Building) return index;
  return [...values].flatMap((value) => index.get(value));
}
