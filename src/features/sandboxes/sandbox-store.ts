import { StandinError } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json/json.ts";
import { atOnce, inSlices, type Work } from "../../base/slices.ts";
import type { Id } from "../../store/ids.ts";
import { MemoryStore } from "../../store/memory/memory-store.ts";
import { isPrepared, type State } from "../../store/memory/state.ts";
import type { Receipt } from "../../store/receipts.ts";
import type { ApplyOptions, Change, Exported, MemberEdit, Write } from "../../store/store.ts";
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

/** The data of one sandbox: a State beside that of the server, and an estimate of what it keeps in memory by itself. */
export class SandboxStore extends MemoryStore {
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

  constructor(state: State, budget: MemoryBudget) {
    super(state, "memory only, in a sandbox");
    this.#budget = budget;
    this.#birth = state.version;
  }

  /** About how much memory it takes beside what it shares. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Weighs a large change in advance, with pauses. */
  protected override async encode(change: Change): Promise<undefined> {
    this.#weighed = { change, weight: await inSlices(weighChange(change.edits, this.#birth)) };
  }

  protected override async carryOut(change: Change, _encoded?: undefined, receipt?: Receipt): Promise<Change> {
    const weight = this.#weightOf(change);
    this.#refuseWhenFull();
    const copied = this.#copy(weight.names, isPrepared(change));
    const undo = this.commitNow(change);
    if (receipt) this.#addReceipt(receipt);
    this.announce({ kind: "change", change });
    const { state } = this;
    const bytes = weight.writtenBytes + copied.bytes;
    this.#weigh(bytes);
    if (change.edits.length === 0) return change;
    this.#undoLog.push({
      effect: weight.effect,
      keptBytes: weight.keptBytes + copied.keptBytes,
      undo: async () => {
        const edits = await inSlices(invertedEdits(change.edits));
        // A reset may have replaced all data during a pause.
        if (this.state !== state) return false;
        undo();
        for (const name of copied.atFirst) this.#copied.delete(name);
        this.#weigh(-bytes);
        this.announce({ kind: "change", change: { version: state.version, edits } });
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
    const bytesOfAll = (some: readonly string[]): number =>
      some.reduce((sum, name) => sum + POINTER_BYTES * this.#countOf(name), 0);
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
      const undone = await this.prepareAlone(async () => (this.#promoting ? undefined : this.#undoLog.undo(count)));
      if (undone) return undone;
    }
  }

  protected override async alterNow(edit: MemberEdit): Promise<void> {
    this.#refuseWhenFull();
    const before = this.peek().find(({ name }) => name === edit.name);
    const undo = this.state.alter(edit);
    this.announce({ kind: "members", version: this.state.version, edit });
    const isCopied = this.#copied.delete(edit.name);
    if (edit.kind === "removed" && this.#undoLog.forgetCreation(edit.name)) return;
    this.#undoLog.push({
      effect: { member: edit },
      keptBytes: edit.kind === "removed" && before ? this.#ownBytesOf(before, isCopied) : 0,
      undo: () => {
        undo();
        this.announceExchange();
        return true;
      },
    });
    if (edit.kind !== "renamed") return;
    // To rename a collection is to copy it.
    if (!isCopied && before?.kind === "collection") this.#weigh(POINTER_BYTES * before.records.length);
    this.#copied.add(edit.to);
  }

  protected override async carryOutReceipt(receipt: Receipt): Promise<void> {
    this.#refuseWhenFull();
    this.#addReceipt(receipt);
  }

  override async swapAtOnce(database: JsonObject): Promise<void> {
    await this.#promoting;
    this.#refuseWhenFull();
    await super.swapAtOnce(database);
    this.#startAt(this.lendAll().reduce((sum, member) => sum + bytesOfMember(member), 0));
  }

  override async reset(): Promise<void> {
    await this.#promoting;
    await super.reset();
    this.#startAt(0);
  }

  /** Makes the present data the baseline of a reset. */
  keepAsBaseline(): void {
    this.baseline = this.state.fork();
  }

  /** Everything that tells `present` from the data it began with. */
  changesIn(present: State): Work<SandboxChanges> {
    return changesBetween(this.baseline, present);
  }

  /** Whether an id means a record of `present`, or meant one of the data it began with. */
  hasUsed(present: State, name: string, id: Id): boolean {
    return [present, this.baseline].some((state) => state.collection(name)?.get(id) !== undefined);
  }

  /** Keeps writes waiting while the present data is promoted: afterwards, ids may mean other records. */
  async whilePromoting<T extends { readonly renumbered: readonly unknown[] }>(
    promote: (present: State) => Promise<T>,
  ): Promise<T> {
    const promoting = this.prepared().then(() => promote(this.branch()));
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
    this.baseline = main.fork();
    this.exchange(main);
    this.announceExchange();
    this.#startAt(0);
  }

  override apply(write: Write, options?: ApplyOptions): Promise<Change> {
    return this.#promoting ? this.#promoted().then(() => this.apply(write, options)) : super.apply(write, options);
  }

  override async alter(edit: MemberEdit, options?: ApplyOptions): Promise<void> {
    await this.#promoted();
    return super.alter(edit, options);
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
  override async close(): Promise<void> {
    this.#weigh(-this.#bytes);
    this.#isClosed = true;
  }

  /** Counts anew for other data, which forgets the changes to the former. */
  #startAt(bytes: number): void {
    this.#undoLog.clear();
    this.#copied.clear();
    this.#birth = this.state.version;
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
    const own = records.filter(({ version }) => version > this.#birth);
    return own.reduce((sum, record) => sum + bytesOf(record), isCopied ? POINTER_BYTES * records.length : 0);
  }

  /** It may replace older ones, so the difference counts. */
  #addReceipt(receipt: Receipt): void {
    const { receipts } = this.state;
    const { length } = receipts;
    receipts.add(receipt);
    this.#weigh(BYTES_PER_CHARACTER * (receipts.length - length));
  }

  #countOf(name: string): number {
    return this.members().find((member) => member.name === name)?.count ?? 0;
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
