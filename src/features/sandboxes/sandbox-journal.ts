import { StandinError } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json/json.ts";
import { atOnce, inSlices, type Work } from "../../base/slices.ts";
import type { Id } from "../../store/ids.ts";
import type { Journal } from "../../store/memory/journal.ts";
import type { LiveData } from "../../store/memory/live-data.ts";
import { isPrepared, type State } from "../../store/memory/state.ts";
import type { Receipt } from "../../store/receipts.ts";
import type { Change, Exported, MemberEdit } from "../../store/store.ts";
import { bytesOf, type ChangeWeight, POINTER_BYTES, weighChange } from "./change-weight.ts";
import { invertedEdits } from "./inverted-edits.ts";
import { changesBetween, type SandboxChanges } from "./promote/sandbox-changes.ts";
import { UndoLog, type Undone } from "./undo-log.ts";

/** Memory of a stored response for each of its characters. */
const BYTES_PER_CHARACTER = 2;
/** Records whose size is looked at where a whole database has to be weighed. */
const WEIGHED = 50;

/** Memory of copied collections. */
interface Copied {
  /** Given back by an undo of the change. */
  readonly bytes: number;
  /** Of former copies, which only an undo needs. */
  readonly keptBytes: number;
  /** The collections that were shared before. */
  readonly atFirst: readonly string[];
}

/** The memory that all sandboxes of a server share. */
export interface MemoryBudget {
  readonly maxBytes: number;
  usedBytes: number;
}

/** The changes of one sandbox, which can be undone, and an estimate of what they take in memory. */
export class SandboxJournal implements Journal {
  readonly engine = "memory";
  readonly place = "memory only, in a sandbox";
  readonly #data: LiveData;
  readonly #budget: MemoryBudget;
  /** Records above this version were written in here. */
  #birth: number;
  readonly #copied = new Set<string>();
  #bytes = 0;
  #isClosed = false;
  /** Set during a promotion; tells whether records got new ids. */
  #promoting: Promise<boolean> | undefined;
  /** The weight of a large change that is about to be committed. */
  #weighed: { readonly change: Change; readonly weight: ChangeWeight } | undefined;
  readonly #undoLog = new UndoLog((bytes) => this.#weigh(-bytes));

  constructor(data: LiveData, budget: MemoryBudget) {
    this.#data = data;
    this.#budget = budget;
    this.#birth = data.state.version;
  }

  /** About how much memory it takes beside what it shares. */
  get bytes(): number {
    return this.#bytes;
  }

  ready(): Promise<void> | undefined {
    return this.#promoting && this.#promoted();
  }

  /** Weighs a large change in advance, with pauses. */
  async prepare(change: Change): Promise<void> {
    this.#weighed = { change, weight: await inSlices(weighChange(change.edits, this.#birth)) };
  }

  async commit(change: Change, receipt?: Receipt): Promise<Change> {
    const weight = this.#weightOf(change);
    this.#refuseWhenFull();
    const copied = this.#copy(weight.names, isPrepared(change));
    const undo = this.#data.commitNow(change);
    if (receipt) this.#addReceipt(receipt);
    this.#data.announce({ kind: "change", change });
    const { state } = this.#data;
    const bytes = weight.writtenBytes + copied.bytes;
    this.#weigh(bytes);
    if (change.edits.length === 0) return change;
    this.#undoLog.push({
      effect: weight.effect,
      keptBytes: weight.keptBytes + copied.keptBytes,
      undo: async () => {
        const edits = await inSlices(invertedEdits(change.edits));
        // A reset may have replaced all data during a pause.
        if (this.#data.state !== state) return false;
        undo();
        for (const name of copied.atFirst) this.#copied.delete(name);
        this.#weigh(-bytes);
        this.#data.announce({ kind: "change", change: { version: state.version, edits } });
        return true;
      },
    });
    return change;
  }

  /**
   * Counts the pointers of the collections that a change copies: each one with its first change, which stays. A change of
   * many records copies all of its own, and its undo gives the former ones back.
   */
  #copy(names: readonly string[], isForUndo: boolean): Copied {
    const atFirst = names.filter((name) => !this.#copied.has(name));
    for (const name of atFirst) this.#copied.add(name);
    const sizeOf = (name: string): number => this.#data.state.collection(name)?.size ?? 1;
    const bytesOfAll = (some: readonly string[]): number =>
      some.reduce((sum, name) => sum + POINTER_BYTES * sizeOf(name), 0);
    if (isForUndo) {
      const bytes = bytesOfAll(names);
      return { bytes, keptBytes: bytes - bytesOfAll(atFirst), atFirst };
    }
    this.#weigh(bytesOfAll(atFirst));
    return { bytes: 0, keptBytes: 0, atFirst: [] };
  }

  #weightOf(change: Change): ChangeWeight {
    const weighed = this.#weighed;
    this.#weighed = undefined;
    return weighed?.change === change ? weighed.weight : atOnce(weighChange(change.edits, this.#birth));
  }

  /** Reverts the latest changes, the last one first; as many as there are and are still known. */
  async undo(count: number): Promise<Undone> {
    for (;;) {
      await this.#promoted();
      const undone = await this.#data.alone(async () => (this.#promoting ? undefined : this.#undoLog.undo(count)));
      if (undone) return undone;
    }
  }

  async alter(edit: MemberEdit): Promise<void> {
    this.#refuseWhenFull();
    const before = this.#data.peek().find(({ name }) => name === edit.name);
    const undo = this.#data.alterNow(edit);
    const isCopied = this.#copied.delete(edit.name);
    if (edit.kind === "removed" && this.#undoLog.forgetCreation(edit.name)) return;
    this.#undoLog.push({
      effect: { member: edit },
      keptBytes: edit.kind === "removed" && before ? this.#ownBytesOf(before, isCopied) : 0,
      undo: () => {
        undo();
        this.#data.announce({ kind: "exchange", version: this.#data.state.version });
        return true;
      },
    });
    if (edit.kind !== "renamed") return;
    // To rename a collection is to copy it.
    if (!isCopied && before?.kind === "collection") this.#weigh(POINTER_BYTES * before.records.length);
    this.#copied.add(edit.to);
  }

  async keep(receipt: Receipt): Promise<void> {
    this.#refuseWhenFull();
    this.#addReceipt(receipt);
  }

  async swap(database: JsonObject): Promise<void> {
    await this.#promoting;
    this.#refuseWhenFull();
    this.#data.replace(this.#data.state.loadNext(database));
    this.#startAt(this.#data.lend().reduce((sum, member) => sum + bytesOfMember(member), 0));
  }

  swapNow(database: JsonObject): Promise<void> {
    return this.swap(database);
  }

  async reset(): Promise<void> {
    await this.#promoting;
    this.#data.replace(this.#data.baseline.fork());
    this.#startAt(0);
  }

  /** Makes the present data the baseline of a reset. */
  keepAsBaseline(): void {
    this.#data.baseline = this.#data.state.fork();
  }

  /** Everything that tells `present` from the data it began with. */
  changesIn(present: State): Work<SandboxChanges> {
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
    const promoting = this.#data.settled().then(() => promote(this.#data.state.branch()));
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

  /** Goes on from the main data, which has the promoted changes now. */
  continueFrom(main: State): void {
    this.#data.baseline = main.fork();
    this.#data.replace(main);
    this.#startAt(0);
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
    this.#weigh(-this.#bytes);
    this.#isClosed = true;
  }

  /** Counts anew for other data, which forgets the changes to the former. */
  #startAt(bytes: number): void {
    this.#undoLog.clear();
    this.#copied.clear();
    this.#birth = this.#data.state.version;
    this.#weigh(bytes - this.#bytes);
  }

  #weigh(bytes: number): void {
    if (this.#isClosed) return;
    this.#bytes += bytes;
    this.#budget.usedBytes += bytes;
  }

  /** The memory of a member that no other state shares. */
  #ownBytesOf(member: Exported, isCopied: boolean): number {
    if (member.kind === "aside") return 0;
    const records = member.kind === "singleton" ? [member.record] : member.records;
    const changed = records.filter(({ version }) => version > this.#birth);
    return changed.reduce((sum, record) => sum + bytesOf(record), isCopied ? POINTER_BYTES * records.length : 0);
  }

  /** It may replace older ones, so the difference counts. */
  #addReceipt(receipt: Receipt): void {
    const { receipts } = this.#data.state;
    const { length } = receipts;
    receipts.add(receipt);
    this.#weigh(BYTES_PER_CHARACTER * (receipts.length - length));
  }

  #refuseWhenFull(): void {
    const { usedBytes, maxBytes } = this.#budget;
    if (usedBytes < maxBytes) return;
    throw new StandinError(
      "SANDBOX_FULL",
      `The sandboxes hold about ${megabytes(usedBytes)} MB, and may hold ${megabytes(maxBytes)} MB. ` +
        "Remove or reset one (DELETE /__sandboxes/<name>), or start with a larger --sandboxMegabytes.",
    );
  }
}

/** By some of its records where it has many. */
function bytesOfMember(member: Exported): number {
  if (member.kind === "aside") return 0;
  if (member.kind === "singleton") return bytesOf(member.record);
  const { records } = member;
  const step = Math.max(1, Math.floor(records.length / WEIGHED));
  let weighed = 0;
  let bytes = 0;
  for (let position = 0; position < records.length; position += step) {
    bytes += bytesOf(records[position]!);
    weighed++;
  }
  return weighed === 0 ? 0 : (bytes / weighed) * records.length;
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}
