import { StandinError } from "../../base/errors.ts";
import { Collection } from "../../store/memory/collection.ts";
import { bytesOfExchange } from "../../store/memory/history/weigh.ts";
import type { LiveData } from "../../store/memory/live-data.ts";
import type { StateMember } from "../../store/memory/state.ts";
import type { Receipt } from "../../store/receipts.ts";
import { bytesOfRecord, POINTER_BYTES } from "../../store/stored-record.ts";

/** Memory of a stored response for each of its characters. */
const BYTES_PER_CHARACTER = 2;

/** The memory that all sandboxes of a server share. */
export interface MemoryBudget {
  readonly maxBytes: number;
  usedBytes: number;
  /** Those with a history. */
  readonly sandboxes: Set<SandboxMemory>;
}

/** Estimates how much memory one sandbox takes beside what it shares. */
export class SandboxMemory {
  readonly #data: LiveData;
  readonly #budget: MemoryBudget;
  /** Collections that are no longer shared. */
  readonly copied = new Set<string>();
  /** Records above this version were written in the sandbox. */
  birth = 0;
  /** Of the data and of its history. */
  bytes = 0;
  #historyBytes = 0;
  #isClosed = false;

  constructor(data: LiveData, budget: MemoryBudget) {
    this.#data = data;
    this.#budget = budget;
    this.#bear();
  }

  /** The records of now are the main data's, or counted as data: replaced ones do not count again in the history. */
  #bear(): void {
    const { state, changes } = this.#data;
    this.birth = state.version;
    if (changes) changes.birth = this.birth;
  }

  /** Call after each change: its history is counted, too. */
  weigh(bytes: number): void {
    if (this.#isClosed) return;
    const history = this.#data.changes?.bytes ?? 0;
    const more = bytes + history - this.#historyBytes;
    this.#historyBytes = history;
    this.bytes += more;
    this.#budget.usedBytes += more;
    if (history > 0) this.#budget.sandboxes.add(this);
  }

  /** Counts the pointers of the collections that a change copies: each one with its first change. */
  copy(names: readonly string[]): void {
    for (const name of names) {
      if (this.copied.has(name)) continue;
      this.copied.add(name);
      this.weigh(POINTER_BYTES * (this.#data.state.collection(name)?.size ?? 1));
    }
  }

  /** It may replace older ones, so the difference counts. */
  addReceipt(receipt: Receipt): void {
    const { receipts } = this.#data.state;
    const { length } = receipts;
    receipts.add(receipt);
    this.weigh(BYTES_PER_CHARACTER * (receipts.length - length));
  }

  /** The memory of a member's records that no other state shares. */
  ownBytesOf(member: StateMember | undefined): number {
    const records = member instanceof Collection ? member.records : member?.kind === "singleton" ? [member.record] : [];
    return records.reduce((sum, record) => (record.version > this.birth ? sum + bytesOfRecord(record) : sum), 0);
  }

  /** Counts anew for other data: what the baseline does not share. */
  startAnew(): void {
    const { state, baseline } = this.#data;
    this.copied.clear();
    this.#bear();
    this.weigh(bytesOfExchange(state, baseline) - (this.bytes - this.#historyBytes));
  }

  /** Histories give way to data, those of the oldest sandboxes first. */
  refuseWhenFull(): void {
    if (!this.#isFull) return;
    for (const one of this.#budget.sandboxes) if (this.#isFull) one.#forgetHistory();
    if (!this.#isFull) return;
    const { usedBytes, maxBytes } = this.#budget;
    throw new StandinError(
      "SANDBOX_FULL",
      `The sandboxes hold about ${megabytes(usedBytes)} MB, and may hold ${megabytes(maxBytes)} MB. ` +
        "Remove or reset one (DELETE /__sandboxes/<name>), or start with a larger --sandboxMegabytes.",
    );
  }

  get #isFull(): boolean {
    return this.#budget.usedBytes >= this.#budget.maxBytes;
  }

  #forgetHistory(): void {
    if (this.#historyBytes === 0) return;
    const { history, changes } = this.#data;
    (history ?? changes)?.clear();
    this.weigh(0);
  }

  /** Releases its share; later writes are no longer counted. */
  release(): void {
    this.#isClosed = true;
    this.#budget.usedBytes -= this.bytes;
    this.bytes = 0;
    this.#budget.sandboxes.delete(this);
  }
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}
