import { andThen, type Eventually } from "../../base/eventually.ts";
import { atOnce, eventually, inSlices, nextTurn, STEP, type Work } from "../../base/slices.ts";
import { dataTooLarge, isTooLong, MAX_TEXT } from "../data-too-large.ts";
import type { AlteredMember, HistoryLimits, Origin } from "../history.ts";
import { isExpired, type Receipt, RequestRepeated } from "../receipts.ts";
import { refuseMemberEdit } from "../refuse-member-edit.ts";
import {
  type ApplyOptions,
  type Change,
  closeReceipt,
  type Edit,
  type Exported,
  type MemberEdit,
  type OpenReceipt,
  type Rearrangement,
  type SingleWrite,
  type StoreEvent,
  type StoreListener,
  type TransactionWrite,
  type Write,
} from "../store.ts";
import { areFew, renderTexts } from "../stored-record.ts";
import { PlannedTransaction, type TransactionBase } from "../transaction.ts";
import { Collection } from "./collection.ts";
import { KeptChanges } from "./history/kept-changes.ts";
import { openHistory } from "./history/open-history.ts";
import type { StateHistory } from "./history/state-history.ts";
import type { Journal } from "./journal.ts";
import { judgeExchange } from "./judge-exchange.ts";
import { matchingRecords } from "./matching-records.ts";
import { planChange, planCreate, planRemove } from "./plan-change.ts";
import { rearranged } from "./rearrange.ts";
import type { MembersBefore, State, UndoneChange } from "./state.ts";

/** The data of a store in memory. Plans writes to it, and hands them to its journal: small ones at once, large ones in turn. */
export class LiveData {
  state: State;
  /** The state that a reset restores. */
  baseline: State;
  /** Undefined where nothing of the past is kept. */
  readonly changes: KeptChanges | undefined;
  /** Undefined where the past cannot be visited: sandboxes keep changes to undo them, too. */
  readonly history: StateHistory | undefined;
  readonly journal: Journal;
  readonly #listeners = new Set<StoreListener>();
  /** Settles when the large write that is being prepared is committed. */
  #preparing: Promise<void> | undefined;

  constructor(state: State, journalFor: (data: LiveData) => Journal, past: HistoryLimits | undefined) {
    this.state = state;
    this.baseline = state.fork();
    const present = (): State => this.state;
    this.changes = past && past.count !== 0 ? new KeptChanges(past, present) : undefined;
    this.history = this.changes && state.settings.history && openHistory(this.changes, present);
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

  /** Replaces the state; versions go on counting, beyond those of steps that led to it. Returns a function that undoes it, while it is the latest change. */
  exchange(state: State, origin: Origin): () => void {
    const before = this.state;
    state.version = Math.max(state.version, before.version + 1);
    const { version } = state;
    this.state = state;
    this.changes?.noteExchange(before, origin);
    return () => {
      before.version = this.state.version + 1;
      this.state = before;
      this.changes?.takeBack(version);
    };
  }

  /** Goes on with data that others have written meanwhile, under its own version. */
  takeOver(state: State): void {
    const before = this.state;
    this.state = state;
    this.changes?.noteExchange(before, { by: "other", cause: "reload" });
  }

  /** Replaces all data and says so, where nothing else keeps it. */
  replace(state: State, origin: Origin, steps?: () => readonly StoreEvent[]): void {
    this.exchange(state, origin);
    this.announceExchange(state.version, steps);
  }

  /** Tells that all data was replaced, or of the steps that led to other data. */
  announceExchange(version: number, steps?: () => readonly StoreEvent[]): void {
    for (const event of steps?.() ?? [{ kind: "exchange", version } as const]) this.announce(event);
  }

  /** Takes over a state that was just loaded, as the one that a reset restores, too. */
  load(state: State, origin: Origin): void {
    this.exchange(state, origin);
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

  judged(next: State): Eventually<State> {
    const { rules } = this.state.settings;
    return rules ? inSlices(judgeExchange(rules, this.state, next)).then(() => next) : next;
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
  #writeNow(write: Write, options: ApplyOptions): Promise<Change> {
    const { isDryRun, receipt } = options;
    if (receipt) this.#refuseRepeated(receipt);
    const planned = planWrite(this.state, write);
    if (isDryRun) return Promise.resolve(planned);
    if (!(planned instanceof Promise) && areFew(planned.edits)) {
      if (planned.edits.length > 1) atOnce(renderTexts(planned.edits));
      return this.#commit(planned, options, receipt && closeReceipt(receipt, planned));
    }
    const prepared = this.#prepare(write, planned, options);
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
    options: ApplyOptions,
  ): Promise<{ committed: Promise<Change> }> {
    const { receipt: open } = options;
    for (let planned = first; ; planned = planWrite(this.state, write)) {
      const isSame = this.watch();
      const change = await planned;
      const isEmpty = change.edits.length === 0;
      if (isEmpty && !open) return { committed: Promise.resolve(change) };
      await inSlices(renderTexts(change.edits)).catch(refuseTooLong);
      const receipt = open && closeReceipt(open, change);
      if (!isEmpty) await this.journal.prepare(change, options, receipt).catch(refuseTooLong);
      await inSlices(this.state.prepare(change));
      // The commit of many records takes a turn of its own.
      if (change.edits.length > STEP) await nextTurn();
      if (isSame()) return { committed: this.#commit(change, options, receipt) };
    }
  }

  #commit(change: Change, origin: Origin, receipt: Receipt | undefined): Promise<Change> {
    if (!receipt || change.edits.length > 0) return this.journal.commit(change, origin, receipt);
    return this.journal.keep(receipt).then(() => change);
  }

  async alter(edit: MemberEdit, options: ApplyOptions): Promise<void> {
    const waiting = this.journal.ready();
    if (waiting) await waiting;
    for (;;) {
      while (this.#preparing) await this.#preparing;
      if (!this.state.isCreated) await this.state.create();
      const isSame = this.watch();
      refuseMemberEdit(edit, this.state.memberNames());
      if (options.isDryRun) return;
      const preparing = this.journal.prepareEdit?.(edit, options);
      if (!preparing) return this.journal.alter(edit, options);
      this.#keepWaiting(preparing);
      await preparing;
      if (isSame()) return this.journal.alter(edit, options);
    }
  }

  /** Creates members, carries out a transaction and removes members, as one version. Nothing to do is no version. */
  async rearrange(rearrangement: Rearrangement, origin: Origin): Promise<Change> {
    const waiting = this.journal.ready() ?? this.#loading();
    if (waiting) return waiting.then(() => this.rearrange(rearrangement, origin));
    let change: Change | undefined;
    let steps: readonly StoreEvent[] = [];
    const next = async (): Promise<State> => {
      const made = await inSlices(rearranged(this.state, rearrangement, planTransaction));
      ({ change, steps } = made);
      if (steps.length === 0) throw new NothingToDo();
      return made.state;
    };
    try {
      await this.journal.exchange(next, origin, () => steps);
    } catch (thrown) {
      if (!(thrown instanceof NothingToDo)) throw thrown;
    }
    return change ?? { version: this.state.version, edits: [] };
  }

  async keepReceipt(receipt: Receipt, load: string): Promise<void> {
    await this.settled();
    if (this.state.epoch === load) await this.journal.keep(receipt);
  }

  /** Commits a change. Returns a function that undoes it, while it is the latest one, as if it had never been. */
  commitNow(change: Change, origin: Origin): () => void {
    const { state } = this;
    const undo = change.isOrdered && change.edits.length > STEP ? state.commitAtOnce(change) : undefined;
    if (!undo) state.commit(change);
    this.changes?.noteChange(change, origin);
    return () => {
      if (undo) undo();
      else state.undo(change);
      this.changes?.takeBack(change.version);
    };
  }

  /** The same for a member. */
  alterNow(edit: MemberEdit, origin: Origin): () => void {
    const { state } = this;
    const undo = this.#noted(edit, origin, () => state.alter(edit));
    const { version } = state;
    return () => {
      undo();
      this.changes?.takeBack(version);
    };
  }

  /** Undoes the latest change, as a version with the opposite edits. */
  undoChange(change: UndoneChange, edits: readonly Edit[]): void {
    const { state } = this;
    state.undo(change);
    this.changes?.noteChange({ version: state.version, edits }, UNDO);
  }

  /** The same for the latest edit of members. */
  undoMembers(edit: AlteredMember, before: MembersBefore): void {
    const { kind, name, to = name } = edit;
    const opposite: AlteredMember =
      kind === "renamed" ? { kind, name: to, to: name } : { kind: kind === "created" ? "removed" : "created", name };
    this.#noted(opposite, UNDO, () => this.state.unalter(edit, before));
  }

  #noted<T>(edit: AlteredMember, origin: Origin, alter: () => T): T {
    const { state, changes } = this;
    const before = changes && state.membersBefore(edit);
    const result = alter();
    if (before) changes.noteMembers(state.version, edit, { before, origin });
    return result;
  }
}

/** Ends an exchange of all data that would change nothing. */
class NothingToDo extends Error {}

const UNDO: Origin = { cause: "undo" };

/** A journal that keeps nothing: the data lives as long as the process. */
export function noJournal(data: LiveData, place = "memory only, nothing is written"): Journal {
  return {
    engine: "memory",
    place,
    ready: () => undefined,
    prepare: async () => {},
    async commit(change, origin, receipt) {
      data.commitNow(change, origin);
      if (receipt) data.state.receipts.add(receipt);
      data.announce({ kind: "change", change, depth: origin.depth });
      return change;
    },
    keep: async (receipt) => data.state.receipts.add(receipt),
    async alter(edit, origin) {
      data.alterNow(edit, origin);
      data.announce({ kind: "members", version: data.state.version, edit });
    },
    exchange: (next, origin, steps) =>
      data.alone(async () => andThen(next(), (state) => data.replace(state, origin, steps))),
    swapNow: async (database, origin) => data.replace(data.state.loadNext(database), origin),
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

function refuseTooLong(thrown: unknown): never {
  throw isTooLong(thrown) ? dataTooLarge("The change", undefined, MAX_TEXT) : thrown;
}

/** Plans a write, with pauses where it has many parts, and judges the records that it would leave. */
function planWrite(state: State, write: Write): Eventually<Change> {
  if (write.kind === "transaction") return inSlices(planTransaction(state, write));
  const { rules } = state.settings;
  const planning = planMany(state, write);
  if (planning) return inSlices(rules ? planManyJudged(state, write, planning) : planning);
  const change = planChange(state, write);
  const judging = rules?.judge(state, change.edits, write);
  const judged = judging && eventually(judging);
  return judged ? judged.then(() => change) : change;
}

function* planManyJudged(state: State, write: SingleWrite, planning: Work<Change>): Work<Change> {
  const change = yield* planning;
  const judging = state.settings.rules?.judge(state, change.edits, write);
  if (judging) yield* judging;
  return change;
}

/** Plans a write that may be about many records with pauses; undefined for others. */
function planMany(state: State, write: SingleWrite): Work<Change> | undefined {
  if (write.kind === "create") return write.bodies.length > STEP ? planCreate(state, write) : undefined;
  if (write.kind !== "remove" || write.dependents.length === 0) return undefined;
  const isLarge = write.dependents.some(({ collection }) => (state.collection(collection)?.size ?? 0) > STEP);
  return isLarge ? planRemove(state, write) : undefined;
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
