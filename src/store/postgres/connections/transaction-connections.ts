import type postgres from "postgres";
import type { Sql } from "./connection.ts";
import { isConnectionLost, unavailable } from "./connection-errors.ts";

/** A connection reserved for one transaction at a time. */
interface TransactionConnection {
  readonly driver: Sql;
  readonly reserved: postgres.ReservedSql<Record<string, unknown>>;
  isBroken: boolean;
}

/** The body of a transaction: sends its statements through one connection. May call `commit` itself. */
export type TransactionBody<T> = (sql: Sql, commit: () => Promise<unknown>) => Promise<T>;

/**
 * A few connections for transactions, each lent to one at a time. The driver's own `begin` ends the process when the
 * connection breaks, because it goes on writing to the closed socket. Here a broken connection is noticed at once, never
 * written to again, and replaced.
 */
export class TransactionConnections {
  readonly #connect: (onClose: () => void) => Sql;
  readonly #max: number;
  readonly #statementTimeoutMs: number;
  readonly #idle: TransactionConnection[] = [];
  readonly #waiting: (() => void)[] = [];
  #count = 0;
  #isClosed = false;

  constructor(connect: (onClose: () => void) => Sql, max: number, statementTimeoutMs: number) {
    this.#connect = connect;
    this.#max = max;
    this.#statementTimeoutMs = statementTimeoutMs;
  }

  /** Runs a transaction, and commits it unless its body has done so. */
  async transaction<T>(body: TransactionBody<T>, begin = "BEGIN"): Promise<T> {
    const connection = await this.#take();
    const sql = guarded(connection);
    let isCommitted = false;
    const commit = (): Promise<unknown> => {
      isCommitted = true;
      return sql.unsafe("COMMIT");
    };
    try {
      // Not awaited: the next statements are sent right behind it.
      const begun = sql.unsafe(begin).execute();
      begun.catch(() => undefined);
      const result = await body(sql, commit);
      if (!isCommitted) await commit();
      return result;
    } catch (thrown) {
      if (isConnectionLost(thrown)) connection.isBroken = true;
      if (!connection.isBroken) {
        await sql.unsafe("ROLLBACK").catch(() => {
          connection.isBroken = true;
        });
      }
      throw thrown;
    } finally {
      this.#giveBack(connection);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#idle.splice(0).map(({ driver }) => driver.end({ timeout: 0 })));
  }

  async #take(): Promise<TransactionConnection> {
    while (this.#count >= this.#max && this.#idle.length === 0) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    for (let connection = this.#idle.pop(); connection; connection = this.#idle.pop()) {
      if (!connection.isBroken) return connection;
      this.#discard(connection);
    }
    this.#count++;
    try {
      return await this.#open();
    } catch (thrown) {
      this.#count--;
      this.#waiting.shift()?.();
      throw thrown;
    }
  }

  async #open(): Promise<TransactionConnection> {
    let connection: TransactionConnection | undefined;
    const driver = this.#connect(() => {
      if (connection) connection.isBroken = true;
    });
    try {
      connection = { driver, reserved: await driver.reserve(), isBroken: false };
      await connection.reserved.unsafe(`SET statement_timeout = ${this.#statementTimeoutMs}`);
      return connection;
    } catch (thrown) {
      void driver.end({ timeout: 0 });
      throw thrown;
    }
  }

  #giveBack(connection: TransactionConnection): void {
    if (connection.isBroken || this.#isClosed) this.#discard(connection);
    else this.#idle.push(connection);
    this.#waiting.shift()?.();
  }

  #discard({ driver }: TransactionConnection): void {
    this.#count--;
    void driver.end({ timeout: 0 });
  }
}

/** The connection as transactions see it: throws once it is broken, instead of writing to it. */
function guarded(connection: TransactionConnection): Sql {
  const refuseBroken = (): void => {
    if (connection.isBroken) throw unavailable(undefined);
  };
  return new Proxy(connection.reserved, {
    apply(target, self, args) {
      refuseBroken();
      return Reflect.apply(target, self, args);
    },
    get(target, key) {
      if (key === "unsafe") refuseBroken();
      return target[key as keyof typeof target];
    },
  });
}
