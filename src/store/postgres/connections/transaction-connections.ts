import type postgres from "postgres";
import { isGone, type Sql, unavailable } from "./connection.ts";

/** A connection of its own, for work of several statements. */
interface Line {
  readonly driver: Sql;
  readonly reserved: postgres.ReservedSql;
  isBroken: boolean;
}

/** What a transaction works with: statements go down one connection, and `commit` ends it. */
export type Work<T> = (sql: Sql, commit: () => Promise<unknown>) => Promise<T>;

/**
 * Connections for transactions, a few of them, lent one after the other. The driver's own way to begin a transaction ends
 * the process when the connection breaks under it, since it goes on writing to where nobody is; so a broken line is known
 * here at once, is never written to again, and makes way for a new one.
 */
export class Lines {
  readonly #connect: (onClose: () => void) => Sql;
  readonly #max: number;
  readonly #statementTimeoutMs: number;
  readonly #idle: Line[] = [];
  readonly #waiting: (() => void)[] = [];
  #count = 0;
  #isClosed = false;

  constructor(connect: (onClose: () => void) => Sql, max: number, statementTimeoutMs: number) {
    this.#connect = connect;
    this.#max = max;
    this.#statementTimeoutMs = statementTimeoutMs;
  }

  /** Runs a transaction. What was not committed by the work itself is committed when it is done. */
  async transaction<T>(work: Work<T>, begin = "BEGIN"): Promise<T> {
    const line = await this.#take();
    const sql = guarded(line);
    let isCommitted = false;
    const commit = (): Promise<unknown> => {
      isCommitted = true;
      return sql.unsafe("COMMIT");
    };
    try {
      // Not waited for: what follows is sent behind it.
      const begun = sql.unsafe(begin).execute();
      begun.catch(() => undefined);
      const result = await work(sql, commit);
      if (!isCommitted) await commit();
      return result;
    } catch (thrown) {
      if (isGone(thrown)) line.isBroken = true;
      if (!line.isBroken) await sql.unsafe("ROLLBACK").catch(() => this.#breakOff(line));
      throw thrown;
    } finally {
      this.#giveBack(line);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#idle.splice(0).map(({ driver }) => driver.end({ timeout: 0 })));
  }

  async #take(): Promise<Line> {
    while (this.#count >= this.#max && this.#idle.length === 0) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    for (let line = this.#idle.pop(); line; line = this.#idle.pop()) {
      if (!line.isBroken) return line;
      this.#discard(line);
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

  async #open(): Promise<Line> {
    let line: Line | undefined;
    const driver = this.#connect(() => {
      if (line) line.isBroken = true;
    });
    try {
      line = { driver, reserved: await driver.reserve(), isBroken: false };
      await line.reserved.unsafe(`SET statement_timeout = ${this.#statementTimeoutMs}`);
      return line;
    } catch (thrown) {
      void driver.end({ timeout: 0 });
      throw thrown;
    }
  }

  #breakOff(line: Line): void {
    line.isBroken = true;
  }

  #giveBack(line: Line): void {
    if (line.isBroken || this.#isClosed) this.#discard(line);
    else this.#idle.push(line);
    this.#waiting.shift()?.();
  }

  #discard({ driver }: Line): void {
    this.#count--;
    void driver.end({ timeout: 0 });
  }
}

/** The connection as transactions use it: one that is broken refuses, instead of being written to. */
function guarded(line: Line): Sql {
  const refuseBroken = (): void => {
    if (line.isBroken) throw unavailable(undefined);
  };
  return new Proxy(line.reserved, {
    apply(target, self, args) {
      refuseBroken();
      return Reflect.apply(target as unknown as (...words: unknown[]) => unknown, self, args);
    },
    get(target, key) {
      if (key === "unsafe") refuseBroken();
      return target[key as keyof typeof target];
    },
  }) as unknown as Sql;
}
