import type { Sql } from "./connection.ts";
import { isConnectionLost } from "./connection-errors.ts";

/** The time that the statements of a replaced pool may still take. */
const DRAIN_SECONDS = 5;

/**
 * The connections for single statements. When one breaks, all are replaced: the driver may keep half a message of a
 * broken connection and never send anything on it again.
 */
export class Pool {
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
