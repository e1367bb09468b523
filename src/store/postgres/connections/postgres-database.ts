import type { Catalogue } from "../tables/catalogue.ts";
import {
  type ConnectionOptions,
  connectLine,
  connectPool,
  explained,
  type Hooks,
  isGone,
  isOutdated,
  type Sql,
} from "./connection.ts";
import { Listening } from "./listening.ts";
import { Pool } from "./pool.ts";
import { Lines, type Work } from "./transaction-connections.ts";

/** Tries of a question whose tables were exchanged under it. */
const MAX_TRIES = 4;
/** Connections for transactions, at most; those for single statements get the rest. */
const MAX_LINES = 3;

/** One database and every connection to it. */
export class Database {
  readonly #url: string;
  readonly #options: ConnectionOptions;
  readonly #pool: Pool;
  readonly #lines: Lines;
  #listening: Listening | undefined;

  constructor(url: string, options: ConnectionOptions) {
    this.#url = url;
    this.#options = options;
    const lines = Math.min(MAX_LINES, Math.max(1, Math.floor(options.poolSize / 3)));
    const shared = { ...options, poolSize: Math.max(1, options.poolSize - lines - 1) };
    this.#pool = new Pool(() => connectPool(url, shared));
    this.#lines = new Lines((onClose) => connectLine(url, options, { onClose }), lines, options.statementTimeoutMs);
  }

  /** A question in one statement. It is put again when its connection broke; so it must change nothing, or count twice. */
  ask<T>(question: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#trying(() => this.#pool.ask(question));
  }

  /** A question on what is known of the data; it is put again when that proves outdated. */
  askOn<T>(catalogue: Catalogue, question: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#trying(() => this.#pool.ask(question), catalogue);
  }

  /** One statement that is sent once: whoever calls it knows what a broken connection means. */
  once<T>(statement: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#pool.ask(statement);
  }

  /** A transaction, tried once; what the driver throws comes through. */
  transaction<T>(work: Work<T>): Promise<T> {
    return this.#lines.transaction(work);
  }

  /** A transaction that changes a lot: everything or nothing of it. */
  async change<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    try {
      return await this.#lines.transaction(work);
    } catch (thrown) {
      throw this.explain(thrown);
    }
  }

  /** Everything that is read is as it was at one moment. */
  atOneMoment<T>(catalogue: Catalogue, work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#trying(() => this.#lines.transaction(work, "BEGIN ISOLATION LEVEL REPEATABLE READ"), catalogue);
  }

  async listen(channel: string, onNotice: (payload: string) => void, onGap: () => void): Promise<void> {
    const connect = (hooks: Hooks): Sql => connectLine(this.#url, this.#options, hooks);
    this.#listening = new Listening(connect, channel, onNotice, onGap);
    await this.#listening.start();
  }

  explain(thrown: unknown): unknown {
    return explained(thrown, this.#options.statementTimeoutMs);
  }

  async close(): Promise<void> {
    await this.#listening?.close();
    await Promise.all([this.#pool.close(), this.#lines.close()]);
  }

  async #trying<T>(work: () => Promise<T>, catalogue?: Catalogue): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await work();
      } catch (thrown) {
        if (catalogue && isOutdated(thrown) && tries < MAX_TRIES) await catalogue.refresh();
        else if (!isGone(thrown) || tries > 1) throw this.explain(thrown);
      }
    }
  }
}
