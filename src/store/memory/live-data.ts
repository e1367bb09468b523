import type { Eventually } from "../../base/eventually.ts";
import type { JsonObject } from "../../base/json/json.ts";
import { eventually, inSlices, nextTurn, STEP, type Work } from "../../base/slices.ts";
import { dataTooLarge, isTooLong, MAX_TEXT } from "../data-too-large.ts";
import { isExpired, type Receipt, RequestRepeated } from "../receipts.ts";
import type { RecordRules } from "../record-rules.ts";
import { refuseMemberEdit } from "../refuse-member-edit.ts";
import {
  type ApplyOptions,
  type Change,
  closeReceipt,
  type Exported,
  type MemberEdit,
  type OpenReceipt,
  type SingleWrite,
  type StoreEvent,
  type StoreListener,
  type TransactionWrite,
  type Write,
} from "../store.ts";
import { areLight, renderTexts } from "../stored-record.ts";
import { PlannedTransaction, type TransactionBase } from "../transaction.ts";
import { Collection } from "./collection.ts";
import type { Journal } from "./journal.ts";
import { matchingRecords } from "./matching-records.ts";
import { planChange, planCreate } from "./plan-change.ts";
import type { State } from "./state.ts";

/** The data of a store in memory. Plans writes to it, and hands them to its journal: small ones at once, large ones in turn. */
export class LiveData {
  state: State;
  /** The state that a reset restores. */
  baseline: State;
  readonly journal: Journal;
  readonly #listeners = new Set<StoreListener>();
  /** Settles when the large write that is being prepared is committed. */
  #preparing: Promise<void> | undefined;

  constructor(state: State, journalFor: (data: LiveData) => Journal) {
    this.state = state;
    this.baseline = state.fork();
    this.journal = journalFor(this);
  }

  subscribe(listener: StoreListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Call only for durable changes: listeners must never hear of a change that is undone later. */
  announce(event: StoreEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** Replaces the state; versions go on counting. */
  exchange(state: State): void {
    state.version = this.state.version + 1;
    this.state = state;
  }

  /** Replaces all data and says so, where nothing else keeps it. */
  replace(state: State): void {
    this.exchange(state);
    this.announce({ kind: "exchange", version: state.version });
  }

  /** Takes over a state that was just loaded, as the one that a reset restores, too. */
  load(state: State): void {
    this.exchange(state);
    this.baseline = state.fork();
  }

  /** All data, for a reader that takes longer than this turn. */
  lend(state = this.state): Exported[] {
    return exported(state, (collection) => collection.lend());
  }

  /** All data, for a reader that is done with it in this turn. */
  peek(): Exported[] {
    return exported(this.state, (collection) => collection.records);
  }

  /** The first records of each collection. */
  sample(limit: number): Exported[] {
    return exported(this.state, (collection) => collection.slice(0, limit));
  }

  /** Returns a function that tells whether the data is still the same: a restore or reload may replace it in a pause. */
  watch(): () => boolean {
    const { state } = this;
    const { version } = state;
    return () => this.state === state && state.version === version;
  }

  /** Resolves when no large write is being prepared. */
  async settled(): Promise<void> {
    while (this.#preparing) await this.#preparing;
  }

  /** Runs work with pauses, such as the exchange of all data: meanwhile reads go on, and writes wait. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
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

  apply(write: Write, options: ApplyOptions): Promise<Change> {
    const waiting = this.journal.ready() ?? this.#loading();
    return waiting ? waiting.then(() => this.apply(write, options)) : this.#write(write, options);
  }

  /** Settles when the records are created and the rules are loaded; undefined when they are. */
  #loading(): Promise<void> | undefined {
    const { state } = this;
    if (!state.isCreated) return state.create();
    const { rules } = state.settings;
    return rules && !rules.isLoaded ? rules.load() : undefined;
  }

  #write(write: Write, options: ApplyOptions): Promise<Change> {
    if (this.#preparing) return this.#preparing.then(() => this.#write(write, options));
    try {
      return this.#writeNow(write, options);
    } catch (thrown) {
      return Promise.reject(thrown);
    }
  }

  /** Hot path: the only promise of a small write is that of its commit. */
  #writeNow(write: Write, { isDryRun, receipt }: ApplyOptions): Promise<Change> {
    if (receipt) this.#refuseRepeated(receipt);
    const planned = planWrite(this.state, write);
    if (isDryRun) return Promise.resolve(planned);
    if (!(planned instanceof Promise) && areLight(planned.edits)) {
      return this.#commit(planned, receipt && closeReceipt(receipt, planned));
    }
    const prepared = this.#prepare(write, planned, receipt);
    this.#keepWaiting(prepared);
    return prepared.then(({ committed }) => committed);
  }

  /** Several servers in this process may share the data. */
  #refuseRepeated({ key, at }: OpenReceipt): void {
    const former = this.state.receipts.get(key);
    if (former && !isExpired(former, at)) throw new RequestRepeated(former);
  }

  /** Prepares a large write with pauses: reads go on, other writes wait until it is committed. */
  async #prepare(
    write: Write,
    first: Eventually<Change>,
    open: OpenReceipt | undefined,
  ): Promise<{ committed: Promise<Change> }> {
    for (let planned = first; ; planned = planWrite(this.state, write)) {
      const isSame = this.watch();
      const change = await planned;
      const isEmpty = change.edits.length === 0;
      if (isEmpty && !open) return { committed: Promise.resolve(change) };
      await inSlices(renderTexts(change.edits)).catch(refuseTooLong);
      const receipt = open && closeReceipt(open, change);
      if (!isEmpty) await this.journal.prepare(change, receipt).catch(refuseTooLong);
      await inSlices(this.state.prepare(change));
      // The commit of many records takes a turn of its own.
      if (change.edits.length > STEP) await nextTurn();
      if (isSame()) return { committed: this.#commit(change, receipt) };
    }
  }

  #commit(change: Change, receipt: Receipt | undefined): Promise<Change> {
    if (!receipt || change.edits.length > 0) return this.journal.commit(change, receipt);
    return this.journal.keep(receipt).then(() => change);
  }

  async alter(edit: MemberEdit, { isDryRun = false }: ApplyOptions): Promise<void> {
    const waiting = this.journal.ready();
    if (waiting) await waiting;
    for (;;) {
      while (this.#preparing) await this.#preparing;
      if (!this.state.isCreated) await this.state.create();
      const isSame = this.watch();
      refuseMemberEdit(edit, this.state.memberNames());
      if (isDryRun) return;
      const preparing = this.journal.prepareEdit?.(edit);
      if (!preparing) return this.journal.alter(edit);
      this.#keepWaiting(preparing);
      await preparing;
      if (isSame()) return this.journal.alter(edit);
    }
  }

  async keepReceipt(receipt: Receipt, load: string): Promise<void> {
    await this.settled();
    if (this.state.epoch === load) await this.journal.keep(receipt);
  }

  /** Commits a change. Returns a function that undoes it, while it is the latest one. */
  commitNow(change: Change): () => void {
    const { state } = this;
    if (change.isOrdered && change.edits.length > STEP) return state.commitAtOnce(change);
    state.commit(change);
    return () => state.undo(change);
  }

  /** The same for a member, and says so. */
  alterNow(edit: MemberEdit): () => void {
    const undo = this.state.alter(edit);
    this.announce({ kind: "members", version: this.state.version, edit });
    return undo;
  }
}

/** A journal that keeps nothing: the data lives as long as the process. */
export function noJournal(data: LiveData, place = "memory only, nothing is written"): Journal {
  const swap = async (database: JsonObject): Promise<void> => data.replace(data.state.loadNext(database));
  return {
    engine: "memory",
    place,
    ready: () => undefined,
    prepare: async () => {},
    async commit(change, receipt) {
      data.commitNow(change);
      if (receipt) data.state.receipts.add(receipt);
      data.announce({ kind: "change", change });
      return change;
    },
    keep: async (receipt) => data.state.receipts.add(receipt),
    async alter(edit) {
      data.alterNow(edit);
    },
    swap,
    swapNow: swap,
    reset: async () => data.replace(data.baseline.fork()),
    close: async () => {},
  };
}

/** All members of a state. */
export function exported(
  state: State,
  recordsOf = (collection: Collection): Collection["records"] => collection.records,
): Exported[] {
  const members: Exported[] = [];
  for (const [name, member] of state.members()) {
    if (member instanceof Collection) {
      members.push({ kind: "collection", name, records: recordsOf(member), version: member.version });
    } else {
      members.push({ ...member, name, version: member.kind === "singleton" ? member.record.version : 0 });
    }
  }
  return members;
}

type Creation = Extract<Write, { kind: "create" }>;

function refuseTooLong(thrown: unknown): never {
  throw isTooLong(thrown) ? dataTooLarge("The change", undefined, MAX_TEXT) : thrown;
}

/** Plans a write, with pauses where it has many parts, and judges the records that it would leave. */
function planWrite(state: State, write: Write): Eventually<Change> {
  if (write.kind === "transaction") return inSlices(planTransaction(state, write));
  const { rules } = state.settings;
  if (hasMany(write)) return inSlices(rules ? planManyJudged(state, write, rules) : planCreate(state, write));
  const change = planChange(state, write);
  const judging = rules?.judge(state, change.edits, write.lenience);
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
  const base: TransactionBase = {
    version: state.version,
    collection: (name) => state.collection(name),
    singleton: (name) => state.singleton(name),
    matching: (name, match) => matchingRecords(state.collection(name), match),
  };
  const transaction = new PlannedTransaction(base, state.settings.rules);
  yield* run(transaction);
  return yield* transaction.change();
}

function hasMany(write: SingleWrite): write is Creation {
  return write.kind === "create" && write.bodies.length > STEP;
}
