import { setTimeout as sleep } from "node:timers/promises";
import type { Catalogue } from "../tables/catalogue.ts";
import { type ConnectionOptions, connectPool, connectSingle, type Sql, type Statements } from "./connection.ts";
import { isConnectionLost, isOutdated, isRetryable, isTimeout, toClientError } from "./connection-errors.ts";
import { type ListeningOptions, NotificationListener } from "./listening.ts";
import { StatementWatch } from "./statement-watch.ts";
import { type TransactionBody, TransactionConnections } from "./transaction-connections.ts";
import type { Payment } from "./watched-read.ts";

/** Attempts at a statement whose tables were replaced meanwhile. */
const MAX_TRIES = 4;
/** Attempts at a transaction that conflicts with others, such as a deadlock. */
const MAX_CONFLICTS = 8;
/** The longest wait between two of them; chance decides, so that the same two do not meet again. */
const CONFLICT_WAIT_MS = 50;
/** The most connections for transactions; those for single statements get the rest. */
const MAX_TRANSACTIONS = 3;

/** One database and all connections to it. */
export class PostgresDatabase {
  readonly #url: string;
  readonly #options: ConnectionOptions;
  readonly #pool: Pool;
  readonly #transactions: TransactionConnections;
  readonly #watch = new StatementWatch(async (unwanted) => (await this.#listening?.cancel(unwanted)) ?? []);
  #listening: NotificationListener | undefined;

  constructor(url: string, options: ConnectionOptions) {
    this.#url = url;
    this.#options = options;
    const max = Math.min(MAX_TRANSACTIONS, Math.max(1, Math.floor(options.poolSize / 3)));
    const shared = { ...options, poolSize: Math.max(1, options.poolSize - max - 1) };
    this.#pool = new Pool(() => connectPool(url, shared));
    this.#transactions = new TransactionConnections(
      (onClose) => connectSingle(url, options, { onClose }),
      max,
      options.statementTimeoutMs,
    );
  }

  /** Runs a statement, again if its connection broke; so it must change nothing, or tolerate being run twice. */
  query<T>(statement: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#retry(() => this.#pool.query(statement));
  }

  /** Runs a statement that was built from the catalogue, again if that proves outdated. */
  queryOn<T>(catalogue: Catalogue, statement: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#retry(() => this.#pool.query(statement), catalogue);
  }

  /** Runs a read whose statements end when the client leaves or, if its time is charged, when the budget is spent. */
  watched<T>(sql: Statements, payment: Payment, read: (sql: Statements) => Promise<T>): Promise<T> {
    return this.#watch.run(sql, payment, read);
  }

  /** Runs a statement exactly once: the caller handles a broken connection. */
  async once<T>(statement: (sql: Sql) => Promise<T>): Promise<T> {
    for (;;) {
      const sentAt = performance.now();
      try {
        return await this.#pool.query(statement);
      } catch (thrown) {
        if (!this.#isStray(thrown, sentAt)) throw thrown;
      }
    }
  }

  /** Runs a transaction once; rejects with the error of the driver. */
  transaction<T>(body: TransactionBody<T>): Promise<T> {
    return this.#transactions.transaction(body);
  }

  /** Runs a transaction, again if it conflicts with another one; rejects with an error for clients. */
  async change<T>(body: (sql: Sql) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#transactions.transaction(body);
      } catch (thrown) {
        if (!isRetryable(thrown) || tries === MAX_CONFLICTS) throw this.explain(thrown);
        await sleep(Math.random() * CONFLICT_WAIT_MS);
      }
    }
  }

  /** Runs a transaction once, whose body cannot be repeated; rejects with an error for clients. */
  async changeOnce<T>(body: (sql: Sql) => Promise<T>): Promise<T> {
    try {
      return await this.#transactions.transaction(body);
    } catch (thrown) {
      throw this.explain(thrown);
    }
  }

  /** Runs a transaction whose statements all read the data of one moment. */
  atOneMoment<T>(catalogue: Catalogue, body: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#retry(() => this.#transactions.transaction(body, "BEGIN ISOLATION LEVEL REPEATABLE READ"), catalogue);
  }

  async listen(options: Omit<ListeningOptions, "connect">): Promise<void> {
    const connect: ListeningOptions["connect"] = (hooks) => connectSingle(this.#url, this.#options, hooks);
    this.#listening = new NotificationListener({ ...options, connect });
    await this.#listening.start();
  }

  explain(thrown: unknown): unknown {
    return toClientError(thrown, this.#options.statementTimeoutMs);
  }

  async close(): Promise<void> {
    this.#watch.close();
    await this.#listening?.close();
    await Promise.all([this.#pool.close(), this.#transactions.close()]);
  }

  async #retry<T>(work: () => Promise<T>, catalogue?: Catalogue): Promise<T> {
    for (let tries = 1; ; tries++) {
      const sentAt = performance.now();
      try {
        return await work();
      } catch (thrown) {
        if (this.#isStray(thrown, sentAt)) tries--;
        else if (catalogue && isOutdated(thrown) && tries < MAX_TRIES) await catalogue.refresh();
        else if (isRetryable(thrown) && tries < MAX_CONFLICTS) await sleep(Math.random() * CONFLICT_WAIT_MS);
        else if (!isConnectionLost(thrown) || tries > 1) throw this.explain(thrown);
      }
    }
  }

  /**
   * Whether a statement was cancelled by mistake: one before it on the same connection was to end, and had just done so.
   * It has changed nothing then, and is sent again.
   */
  #isStray(thrown: unknown, sentAt: number): boolean {
    const isTooEarly = performance.now() - sentAt < this.#options.statementTimeoutMs;
    return isTimeout(thrown) && isTooEarly && this.#watch.mayHaveMet(sentAt);
  }
}

/** The time that the statements of a replaced pool may still take. */
const DRAIN_SECONDS = 5;

/**
 * The connections for single statements. When one breaks, all are replaced: the driver may keep half a message of a
 * broken connection and never send anything on it again.
 */
class Pool {
  readonly #connect: () => Sql;
  #sql: Sql;

  constructor(connect: () => Sql) {
    this.#connect = connect;
    this.#sql = connect();
  }

  /** Runs a statement, and replaces the connections if it finds one broken. */
  async query<T>(statement: (sql: Sql) => Promise<T>): Promise<T> {
    const sql = this.#sql;
    try {
      return await statement(sql);
    } catch (thrown) {
      if (isConnectionLost(thrown) && sql === this.#sql) {
        this.#sql = this.#connect();
        void sql.end({ timeout: DRAIN_SECONDS });
      }
      throw thrown;
    }
  }

  async close(): Promise<void> {
    await this.#sql.end({ timeout: DRAIN_SECONDS });
  }
}
