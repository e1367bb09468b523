import { StandinError } from "../../base/errors.ts";
import type { Eventually } from "../../base/eventually.ts";
import { type JsonObject, stringifyJson } from "../../base/json/json.ts";
import { atOnce, inSlices, type Work } from "../../base/slices.ts";
import type { Origin } from "../../store/history.ts";
import type { Id } from "../../store/ids.ts";
import { type Entry, entryOf } from "../../store/indexeddb/entry.ts";
import { changesBetween, type StateChanges } from "../../store/memory/changes-between.ts";
import type { Journal } from "../../store/memory/journal.ts";
import { exported, type LiveData } from "../../store/memory/live-data.ts";
import type { State } from "../../store/memory/state.ts";
import type { Receipt } from "../../store/receipts.ts";
import { type Change, contentOf, type MemberEdit, type PastEvent } from "../../store/store.ts";
import { type ChangeWeight, weighChange } from "./change-weight.ts";
import type { Reached, SandboxLog } from "./sandbox-log.ts";
import { type MemoryBudget, SandboxMemory } from "./sandbox-memory.ts";
import { type Undone, UndoSteps } from "./undo-steps.ts";

/** The parts of a journal that repeat the steps of other processes. */
export interface JournalParts {
  readonly data: LiveData;
  readonly steps: UndoSteps;
  replace(state: State, origin: Origin): void;
}

/** The changes of one sandbox, which can be undone, and an estimate of what they take in memory. */
export class SandboxJournal implements Journal {
  readonly engine = "memory";
  readonly place = "memory only, in a sandbox";
  readonly past: PastEvent[] = [];
  readonly #data: LiveData;
  readonly #memory: SandboxMemory;
  /** Set during a promotion; tells whether records got new ids. */
  #promoting: Promise<boolean> | undefined;
  /** The weight of a large change that is about to be committed. */
  #weighed: { readonly change: Change; readonly weight: ChangeWeight } | undefined;
  readonly #steps: UndoSteps;
  /** Where the sandbox is kept, if it is to outlive this run. */
  log: SandboxLog | undefined;
  /** Whether a change was taken back that another process came before: the versions are no longer those of all. */
  isAstray = false;
  /** Set while a change is stored: the next one waits. */
  storing: Promise<void> | undefined;

  constructor(data: LiveData, budget: MemoryBudget) {
    this.#data = data;
    this.#memory = new SandboxMemory(data, budget);
    this.#steps = new UndoSteps(data, this.#memory);
  }

  /** About how much memory it takes beside what it shares. */
  get bytes(): number {
    return this.#memory.bytes;
  }

  /** How many changes can be reverted. */
  get changes(): number {
    return this.#steps.length;
  }

  ready(): Promise<void> | undefined {
    return this.storing ?? (this.#promoting && this.#promoted());
  }

  /** Stores every change from now on; one that is new begins with what it has. */
  keepIn(log: SandboxLog, isNew = false): void {
    this.log = log;
    // If it cannot be stored, its first change says so.
    if (isNew) this.#store(log.begin(this.#data.state), () => {}).catch(() => {});
  }

  /** Weighs a large change in advance, with pauses. */
  async prepare(change: Change): Promise<void> {
    this.#weighed = { change, weight: await inSlices(weighChange(change.edits, this.#memory.birth)) };
  }

  async commit(change: Change, origin: Origin, receipt?: Receipt): Promise<Change> {
    const weight = this.#weightOf(change);
    this.#memory.refuseWhenFull();
    this.#memory.copy(weight.names);
    const { state } = this.#data;
    const { version: at } = state;
    const undo = this.#data.commitNow(change, origin);
    const settle = (): Change => {
      if (receipt) this.#memory.addReceipt(receipt);
      this.#data.announce({ kind: "change", change, depth: origin.depth });
      this.#memory.weigh(weight.bytes);
      if (change.edits.length > 0) this.#steps.push(change.version);
      return change;
    };
    return this.#store(this.log?.add({ at, entry: entryOf(change, Date.now(), receipt) }, state), settle, undo);
  }

  #weightOf(change: Change): ChangeWeight {
    const weighed = this.#weighed;
    this.#weighed = undefined;
    return weighed?.change === change ? weighed.weight : atOnce(weighChange(change.edits, this.#memory.birth));
  }

  /** Reverts the latest changes, the last one first; as many as there are and are still known. */
  async undo(count: number): Promise<Undone> {
    for (;;) {
      await this.storing;
      await this.#promoted();
      const undone = await this.#data.alone(async () => (this.#promoting ? undefined : this.#undoNow(count)));
      if (undone) return undone;
    }
  }

  async #undoNow(count: number): Promise<Undone> {
    const undo = Math.min(count, this.#steps.length);
    const { version: at, epoch } = this.#data.state;
    // Each of them is a version.
    const stored = undo > 0 ? this.log?.add({ at, undo }, { version: at + undo, epoch }) : undefined;
    return this.#store(stored, () => this.#steps.undo(undo));
  }

  async alter(edit: MemberEdit, origin: Origin): Promise<void> {
    this.#memory.refuseWhenFull();
    const { state } = this.#data;
    const { version: at } = state;
    const { removed } = state.membersBefore(edit);
    const undo = this.#data.alterNow(edit, origin);
    const settle = (): void => {
      this.#data.announce({ kind: "members", version: state.version, edit });
      // To rename a collection is to copy it.
      if (edit.kind === "renamed") this.#memory.copy([edit.to]);
      this.#memory.weigh(-this.#memory.ownBytesOf(removed));
      if (edit.kind !== "removed" || !this.#steps.forgetCreation(edit.name)) this.#steps.push(state.version);
    };
    const entry = (): Entry => ({ v: state.version, time: Date.now(), member: edit });
    await this.#store(this.log?.add({ at, entry: entry() }, state), settle, undo);
  }

  async keep(receipt: Receipt): Promise<void> {
    this.#memory.refuseWhenFull();
    const { state } = this.#data;
    const { version } = state;
    const entry = (): Entry => entryOf({ version, edits: [] }, Date.now(), receipt);
    await this.#store(this.log?.add({ at: version, entry: entry() }, state), () => this.#memory.addReceipt(receipt));
  }

  async exchange(make: () => Eventually<State>, origin: Origin): Promise<void> {
    for (let isDone = false; !isDone; ) {
      await this.storing;
      await this.#promoting;
      isDone = await this.#data.alone(async () => {
        if (this.storing || this.#promoting) return false;
        await this.#exchange(make, origin);
        return true;
      });
    }
  }

  async #exchange(make: () => Eventually<State>, origin: Origin): Promise<void> {
    // A reset gives memory back.
    const isReset = origin.cause === "reset";
    if (!isReset) this.#memory.refuseWhenFull();
    const next = await make();
    const { version: at } = this.#data.state;
    const log = this.log;
    const swap = log && !isReset ? { at, swap: stringifyJson(databaseOf(next)) } : undefined;
    await this.#store(log?.restart(this.#after(next), swap), () => this.#replace(next, origin));
  }

  swapNow(database: JsonObject, origin: Origin): Promise<void> {
    return this.exchange(() => this.#data.state.loadNext(database), origin);
  }

  /** Makes the present data the baseline of a reset. */
  async keepAsBaseline(): Promise<void> {
    await this.#store(this.log?.keepBaseline(), () => {
      this.#data.baseline = this.#data.state.fork();
    });
  }

  /** Everything that tells `present` from the data it began with. */
  changesIn(present: State): Work<StateChanges> {
    return changesBetween(this.#data.baseline, present);
  }

  /** Whether an id means a record of `present`, or meant one of the data it began with. */
  hasUsed(present: State, name: string, id: Id): boolean {
    return [present, this.#data.baseline].some((state) => state.collection(name)?.get(id) !== undefined);
  }

  /** Keeps writes waiting while the present data is promoted: afterwards, ids may mean other records. */
  async whilePromoting<T extends { readonly renumbered: readonly unknown[] }>(
    promote: (present: State) => Promise<T>,
  ): Promise<T> {
    const promoting = this.#settled().then(() => promote(this.#data.state.branch()));
    this.#promoting = promoting.then(
      ({ renumbered }) => renumbered.length > 0,
      () => false,
    );
    try {
      return await promoting;
    } finally {
      this.#promoting = undefined;
    }
  }

  async #settled(): Promise<void> {
    await this.#data.settled();
    await this.storing;
  }

  /** Goes on from the main data, which has the promoted changes now. */
  async continueFrom(main: State, load: string): Promise<void> {
    const { version: birth } = main;
    await this.#store(this.log?.rebase({ ...this.#after(main), birth, load }), () => {
      this.#data.baseline = main.fork();
      this.#replace(main, { cause: "promote" });
    });
  }

  /** For those who repeat the steps of other processes. */
  parts(): JournalParts {
    return { data: this.#data, steps: this.#steps, replace: (state, origin) => this.#replace(state, origin) };
  }

  /** Goes on where a former run has ended. */
  resume({ epoch, version }: Reached): void {
    const { state } = this.#data;
    state.resume({ epoch, version: Math.max(version, state.version) });
  }

  /** The version that other data will have. */
  #after({ epoch, version }: State): Reached {
    return { epoch, version: Math.max(version, this.#data.state.version + 1) };
  }

  #replace(state: State, origin: Origin): void {
    this.#data.replace(state, origin);
    this.#steps.clear();
    // Without a history to visit, nothing leads back.
    if (!this.#data.history) this.#data.changes?.clear();
    this.#memory.startAnew();
  }

  /** Carries on when a change is stored, and before the next one; undoes it where it cannot be stored. */
  async #store<T>(stored: Promise<void> | undefined, settle: () => T, undo = () => {}): Promise<Awaited<T>> {
    if (!stored) return await settle();
    const settled = stored.then(settle, (thrown: unknown) => {
      undo();
      this.isAstray = true;
      throw thrown;
    });
    const done = (): void => {
      this.storing = undefined;
    };
    this.storing = settled.then(done, done);
    return await settled;
  }

  /** Settles when no promotion is under way. Rejects after one with new ids, which the waiting write cannot know. */
  async #promoted(): Promise<void> {
    if (!(await this.#promoting)) return;
    throw new StandinError(
      "SANDBOX_CONFLICT",
      "The sandbox was promoted at the same time, and records got new ids; nothing was written. Read them again, and " +
        "repeat the request.",
    );
  }

  /** Releases its share of the memory; later writes to it are no longer counted. */
  async close(): Promise<void> {
    this.#memory.release();
  }
}

function databaseOf(state: State): JsonObject {
  return Object.fromEntries(exported(state).map((member) => [member.name, contentOf(member)]));
}
