import type { Statements } from "./connection.ts";
import { isTimeout } from "./connection-errors.ts";
import { LOOK_MS, type Payment, WatchedRead } from "./watched-read.ts";

/** How soon a cancellation is repeated: PostgreSQL ignores one that arrives between two steps of a statement. */
const REPEAT_MS = 5;

/** Processes of the database: their statements are to end at once, or unless they wait for a lock, or may go on. */
export interface Unwanted {
  readonly left: readonly number[];
  readonly costly: readonly number[];
  readonly allowed: readonly number[];
}

/** Cancels statements; resolves to the processes, other than `left`, that wait for a lock. */
export type CancelStatements = (unwanted: Unwanted) => Promise<readonly number[]>;

/**
 * Watches the statements of reads, and cancels those whose client has left or whose budget is spent. A look at all of
 * them every now and then costs a request less than a timer and a listener of its own.
 */
export class StatementWatch {
  readonly #cancel: CancelStatements;
  readonly #reads = new Set<WatchedRead>();
  #sweeper: NodeJS.Timeout | undefined;
  #repeater: NodeJS.Timeout | undefined;
  #cancelling: Promise<void> | undefined;
  #cancelledAt = Number.NEGATIVE_INFINITY;
  #isAsking = false;

  constructor(cancel: CancelStatements) {
    this.#cancel = cancel;
  }

  /** Runs a read whose statements are watched. Once it settles, no cancellation for it is under way. */
  async run<T>(sql: Statements, payment: Payment, body: (sql: Statements) => Promise<T>): Promise<T> {
    const read = new WatchedRead(payment);
    this.#reads.add(read);
    this.#sweeper ??= setInterval(() => this.#sweep(), LOOK_MS).unref();
    let refusal: unknown;
    try {
      const result = await body(read.noting(sql));
      refusal = read.refusal;
      if (refusal === undefined) return result;
    } catch (thrown) {
      refusal = read.refusal;
      if (refusal === undefined || !isTimeout(thrown)) throw thrown;
    } finally {
      this.#reads.delete(read);
      read.charge(performance.now());
      if (refusal !== undefined) {
        // The connection must not be used for something else before.
        await this.#cancelling;
        this.#cancelUnwanted();
      }
    }
    throw refusal;
  }

  /**
   * Whether a cancellation may have met a statement sent since then, instead of the one before it on the same connection:
   * that one may have ended at this moment.
   */
  mayHaveMet(sentAt: number): boolean {
    return this.#cancelling !== undefined || this.#cancelledAt >= sentAt;
  }

  close(): void {
    clearInterval(this.#sweeper);
    clearTimeout(this.#repeater);
  }

  #sweep(): void {
    if (this.#reads.size === 0) {
      clearInterval(this.#sweeper);
      this.#sweeper = undefined;
      return;
    }
    const now = performance.now();
    for (const read of this.#reads) read.look(now);
    this.#cancelUnwanted();
    void this.#excuseWaiting();
  }

  /** A wait must be seen while it lasts: when the budget is spent, the lock may just have been released. */
  async #excuseWaiting(): Promise<void> {
    const working = [...this.#reads].filter((read) => read.isLong && read.refusal === undefined);
    if (this.#isAsking || working.length === 0) return;
    this.#isAsking = true;
    try {
      const byPid = readsByPid(working);
      const waiting = await this.#cancel({ left: [], costly: [], allowed: [...byPid.keys()] });
      for (const pid of waiting) byPid.get(pid)?.excuse();
    } catch {
      // The database cannot be reached; the next look asks again.
    } finally {
      this.#isAsking = false;
    }
  }

  #cancelUnwanted(): void {
    if (this.#cancelling) return;
    const unwanted = [...this.#reads].filter((read) => read.refusal !== undefined && read.pid !== undefined);
    if (unwanted.length === 0) return;
    this.#cancelling = this.#cancelAll(unwanted).finally(() => {
      this.#cancelling = undefined;
      clearTimeout(this.#repeater);
      this.#repeater = setTimeout(() => this.#cancelUnwanted(), REPEAT_MS).unref();
    });
  }

  async #cancelAll(reads: readonly WatchedRead[]): Promise<void> {
    const byPid = readsByPid(reads);
    const [left, costly]: [number[], number[]] = [[], []];
    for (const [pid, read] of byPid) (read.isAbandoned ? left : costly).push(pid);
    try {
      const waiting = await this.#cancel({ left, costly, allowed: [] });
      for (const pid of waiting) byPid.get(pid)?.excuse();
    } catch {
      // The database cannot be reached, or not now. The time limit of statements remains.
    }
    this.#cancelledAt = performance.now();
  }
}

/** The reads with a statement that the database works at. */
function readsByPid(reads: readonly WatchedRead[]): Map<number, WatchedRead> {
  return new Map(reads.flatMap((read) => (read.pid === undefined ? [] : [[read.pid, read]])));
}
