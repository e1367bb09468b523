import { StandinError } from "../../base/errors.ts";
import { bytesOfExchange } from "../../store/memory/history/weigh.ts";
import type { LiveData } from "../../store/memory/live-data.ts";
import type { Receipt } from "../../store/receipts.ts";
import type { Exported } from "../../store/store.ts";
import { bytesOfRecord, POINTER_BYTES } from "../../store/stored-record.ts";

/** Memory of a stored response for each of its characters. */
const BYTES_PER_CHARACTER = 2;

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

/** Estimates how much memory one sandbox takes beside what it shares. */
export class SandboxMemory {
  readonly #data: LiveData;
  readonly #budget: MemoryBudget;
  /** Collections that are no longer shared. */
  readonly copied = new Set<string>();
  /** Records above this version were written in the sandbox. */
  birth: number;
  bytes = 0;
  #isClosed = false;

  constructor(data: LiveData, budget: MemoryBudget) {
    this.#data = data;
    this.#budget = budget;
    this.birth = data.state.version;
  }

  weigh(bytes: number): void {
    if (this.#isClosed) return;
    this.bytes += bytes;
    this.#budget.usedBytes += bytes;
  }

  /**
   * Counts the pointers of the collections that a change copies: each one with its first change, which stays. A change of
   * many records copies all of its own, and its undo gives the former ones back.
   */
  copy(names: readonly string[], isForUndo: boolean): Copied {
    const atFirst = names.filter((name) => !this.copied.has(name));
    for (const name of atFirst) this.copied.add(name);
    const sizeOf = (name: string): number => this.#data.state.collection(name)?.size ?? 1;
    const bytesOfAll = (some: readonly string[]): number =>
      some.reduce((sum, name) => sum + POINTER_BYTES * sizeOf(name), 0);
    if (isForUndo) {
      const bytes = bytesOfAll(names);
      return { bytes, keptBytes: bytes - bytesOfAll(atFirst), atFirst };
    }
    this.weigh(bytesOfAll(atFirst));
    return { bytes: 0, keptBytes: 0, atFirst: [] };
  }

  /** The memory of a member that no other state shares. */
  ownBytesOf(member: Exported, isCopied: boolean): number {
    if (member.kind === "aside") return 0;
    const records = member.kind === "singleton" ? [member.record] : member.records;
    const changed = records.filter(({ version }) => version > this.birth);
    return changed.reduce((sum, record) => sum + bytesOfRecord(record), isCopied ? POINTER_BYTES * records.length : 0);
  }

  /** It may replace older ones, so the difference counts. */
  addReceipt(receipt: Receipt): void {
    const { receipts } = this.#data.state;
    const { length } = receipts;
    receipts.add(receipt);
    this.weigh(BYTES_PER_CHARACTER * (receipts.length - length));
  }

  /** Counts anew for other data: what the baseline does not share. */
  startAnew(): void {
    this.copied.clear();
    this.birth = this.#data.state.version;
    this.weigh(bytesOfExchange(this.#data.state, this.#data.baseline) - this.bytes);
  }

  refuseWhenFull(): void {
    const { usedBytes, maxBytes } = this.#budget;
    if (usedBytes < maxBytes) return;
    throw new StandinError(
      "SANDBOX_FULL",
      `The sandboxes hold about ${megabytes(usedBytes)} MB, and may hold ${megabytes(maxBytes)} MB. ` +
        "Remove or reset one (DELETE /__sandboxes/<name>), or start with a larger --sandboxMegabytes.",
    );
  }

  /** Releases its share; later writes are no longer counted. */
  release(): void {
    this.weigh(-this.bytes);
    this.#isClosed = true;
  }
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}
