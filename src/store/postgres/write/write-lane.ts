import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Change, Write } from "../../store.ts";
import { isGone, isOutdated, isWorthAnotherTry, type Sql, unavailable } from "../connections/connection.ts";
import { type Attempt, type WriteTools, writeBatch } from "./write-batch.ts";

const MAX_BATCH = 100;
const MAX_TRIES = 8;
/** How long the fate of a write is looked for when the connection broke while it was being kept. */
const RESOLVE_MS = 5000;
const RESOLVE_EVERY_MS = 50;

interface Waiting {
  readonly write: Write;
  resolve(change: Change): void;
  reject(thrown: unknown): void;
}

/**
 * The writes to one member, in the order they came. While some are on their way to the database, those that come meanwhile
 * wait and then go together: all of them need the same lock, so nobody waits longer, and the disk is waited for once.
 */
export class WriteLane {
  readonly #tools: WriteTools;
  #waiting: Waiting[] = [];
  #isRunning = false;

  constructor(tools: WriteTools) {
    this.#tools = tools;
  }

  add(write: Write): Promise<Change> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, resolve, reject });
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, batchLength(this.#waiting.map(({ write }) => write)));
      try {
        const outcomes = await this.#keep(batch.map(({ write }) => write));
        for (const [at, { resolve, reject }] of batch.entries()) {
          const outcome = outcomes[at]!;
          if ("change" in outcome) resolve(outcome.change);
          else reject(outcome.refusal);
        }
      } catch (thrown) {
        for (const { reject } of batch) reject(this.#tools.database.explain(thrown));
      }
    }
    this.#isRunning = false;
  }

  /** Tries until it is kept or refused. What may have been kept is never tried again before that is known. */
  async #keep(writes: readonly Write[]): Promise<Attempt["outcomes"]> {
    for (let tries = 1; ; tries++) {
      const attempt: Attempt = { token: randomUUID(), transaction: undefined, outcomes: [], isCommitting: false };
      try {
        await writeBatch(this.#tools, writes, attempt);
        return attempt.outcomes;
      } catch (thrown) {
        if (isGone(thrown) && attempt.isCommitting) {
          if (await this.#wasKept(attempt, thrown)) return attempt.outcomes;
        } else if (isOutdated(thrown)) {
          await this.#tools.catalogue.refresh();
        } else if (!isWorthAnotherTry(thrown) && !(isGone(thrown) && tries === 1)) throw thrown;
        if (tries === MAX_TRIES) throw thrown;
      }
    }
  }

  /** Asks the database, as soon as it is there again, what became of a transaction. */
  async #wasKept({ token, transaction }: Attempt, thrown: unknown): Promise<boolean> {
    const { database } = this.#tools;
    for (const end = performance.now() + RESOLVE_MS; performance.now() < end; await sleep(RESOLVE_EVERY_MS)) {
      try {
        if (await database.once((sql) => isUnderWay(sql, transaction!))) continue;
        const [kept] = await database.once((sql) => sql`SELECT FROM writes WHERE token = ${token}`);
        return kept !== undefined;
      } catch (again) {
        if (!isGone(again)) throw again;
      }
    }
    throw unavailable(thrown, "Whether the change was kept is not known: look before you repeat it.");
  }
}

/** Whether the server still works on it, for a client it has lost. A number it does not know was lost with a crash. */
async function isUnderWay(sql: Sql, transaction: string): Promise<boolean> {
  const [row] = await sql`SELECT ${transaction}::text::xid8 < pg_snapshot_xmax(pg_current_snapshot())
    AND pg_xact_status(${transaction}::text::xid8) = 'in progress' AS yes`;
  return row!.yes as boolean;
}

/** So many go together. What a new id depends on must be looked up anew once a record was removed. */
function batchLength(writes: readonly Write[]): number {
  const isAlone = (write: Write): boolean => write.kind === "remove" && write.dependents.length > 0;
  if (isAlone(writes[0]!)) return 1;
  const removal = writes.findIndex(({ kind }) => kind === "remove");
  const end = writes.findIndex(
    (write, at) => isAlone(write) || (removal !== -1 && at > removal && write.kind === "create"),
  );
  return Math.min(MAX_BATCH, end === -1 ? writes.length : end);
}
