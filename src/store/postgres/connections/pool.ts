import { isGone, type Sql } from "./connection.ts";

/** How long the statements of a pool that is let go of may still take. */
const DRAIN_SECONDS = 5;

/**
 * The connections for single statements. When one breaks, all are exchanged for new ones: the driver may keep half a
 * message of a broken connection and never send anything on it again.
 */
export class Pool {
  readonly #connect: () => Sql;
  #sql: Sql;

  constructor(connect: () => Sql) {
    this.#connect = connect;
    this.#sql = connect();
  }

  /** Asks, and sees to it that the next question finds a sound connection. */
  async ask<T>(question: (sql: Sql) => Promise<T>): Promise<T> {
    const sql = this.#sql;
    try {
      return await question(sql);
    } catch (thrown) {
      if (isGone(thrown) && sql === this.#sql) {
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
