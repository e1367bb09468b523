import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ApplyOptions, Change, Write } from "../../store.ts";
import type { Sql } from "../connections/connection.ts";
import { isConnectionLost, isOutdated, isRetryable, unavailable } from "../connections/connection-errors.ts";
import { only } from "../sql/fragment.ts";
import { type Attempt, type ReceiptedWrite, type WriteContext, writeBatch } from "./write-batch.ts";

/** The size of a batch, in writes or records of transactions. */
const MAX_BATCH = 100;
const ALONE = Number.POSITIVE_INFINITY;
const MAX_TRIES = 8;
/** How long to ask whether a write was committed, after the connection broke during the commit. */
const RESOLVE_MS = 5000;
const RESOLVE_EVERY_MS = 50;

interface QueuedWrite extends ReceiptedWrite {
  readonly isDryRun: boolean;
  resolve(change: Change): void;
  reject(thrown: unknown): void;
}

/**
 * The writes to one member, in order of arrival. Writes that arrive while a batch is being committed form the next batch:
 * all need the same lock, so none waits longer, and one commit serves all of them.
 */
export class WriteLane {
  readonly #context: WriteContext;
  #queue: QueuedWrite[] = [];
  #isRunning = false;

  constructor(context: WriteContext) {
    this.#context = context;
  }

  add(write: Write, { isDryRun = false, receipt, by, cause, depth }: ApplyOptions): Promise<Change> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ write, isDryRun, receipt, origin: { by, cause, depth }, resolve, reject });
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (let [first] = this.#queue; first; [first] = this.#queue) {
      const batch = this.#queue.splice(0, batchLength(this.#queue));
      try {
        const outcomes = await this.#commit(batch, first.isDryRun);
        for (const [at, outcome] of outcomes.entries()) {
          if ("change" in outcome) batch[at]?.resolve(outcome.change);
          else batch[at]?.reject(outcome.refusal);
        }
        this.#queue.unshift(...batch.slice(outcomes.length));
      } catch (thrown) {
        for (const { reject } of batch) reject(this.#context.database.explain(thrown));
      }
    }
    this.#isRunning = false;
  }

  /** Retries until the batch is committed or refused; never while it may already be committed. */
  async #commit(writes: readonly ReceiptedWrite[], isDryRun: boolean): Promise<Attempt["outcomes"]> {
    for (let tries = 1; ; tries++) {
      const attempt: Attempt = {
        token: randomUUID(),
        transaction: undefined,
        outcomes: [],
        isCommitting: false,
        isNewEdition: false,
        noted: [],
        isDryRun,
      };
      try {
        await writeBatch(this.#context, writes, attempt);
        if (attempt.noted.length > 0) this.#context.onNoted(attempt.noted);
        // A client that has seen the response may name a new field in its next query.
        if (attempt.isNewEdition) await this.#context.catalogue.refresh().catch(() => undefined);
        return attempt.outcomes;
      } catch (thrown) {
        if (isConnectionLost(thrown) && attempt.isCommitting) {
          if (await this.#isCommitted(attempt, thrown)) return attempt.outcomes;
        } else if (isOutdated(thrown)) {
          await this.#context.catalogue.refresh();
        } else if (!isRetryable(thrown) && !(isConnectionLost(thrown) && tries === 1)) throw thrown;
        if (tries === MAX_TRIES) throw thrown;
      }
    }
  }

  /** Asks the database, as soon as it can be reached again, whether a transaction was committed. */
  async #isCommitted({ token, transaction }: Attempt, thrown: unknown): Promise<boolean> {
    const { database } = this.#context;
    for (const end = performance.now() + RESOLVE_MS; performance.now() < end; await sleep(RESOLVE_EVERY_MS)) {
      try {
        if (transaction !== undefined && (await database.once((sql) => isInProgress(sql, transaction)))) continue;
        const [found] = await database.once((sql) => sql`SELECT FROM writes WHERE token = ${token}`);
        return found !== undefined;
      } catch (again) {
        if (!isConnectionLost(again)) throw again;
      }
    }
    throw unavailable(thrown, "It is not known whether the change was saved: check before you repeat it.");
  }
}

/** Whether the server is still running the transaction of a lost client. An unknown id was lost in a crash. */
async function isInProgress(sql: Sql, transaction: string): Promise<boolean> {
  const rows = await sql<{ yes: boolean }[]>`SELECT ${transaction}::text::xid8 < pg_snapshot_xmax(pg_current_snapshot())
    AND pg_xact_status(${transaction}::text::xid8) = 'in progress' AS yes`;
  return only(rows).yes;
}

/** The number of writes in the next batch. After a removal, the facts that a new id depends on must be fetched again. */
function batchLength(queue: readonly QueuedWrite[]): number {
  let [size, hasRemoval] = [0, false];
  for (const [at, { write, isDryRun }] of queue.entries()) {
    const mayCreate = write.kind === "create" || write.kind === "transaction";
    size += sizeOf(write);
    const isLast = isDryRun || size > MAX_BATCH || (hasRemoval && mayCreate);
    // The first goes by itself if it must.
    if (isLast) return Math.max(1, at);
    hasRemoval ||= write.kind === "remove";
  }
  return queue.length;
}

/** How much of a batch a write takes. One that may be long, or that searches for dependents, is a batch of its own. */
function sizeOf(write: Write): number {
  if (write.kind === "transaction") return write.size ?? ALONE;
  return write.kind === "remove" && write.dependents.length > 0 ? ALONE : 1;
}
