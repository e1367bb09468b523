import { StandinError } from "./errors.ts";
import { cpuUsage } from "./platform/runtime.ts";
import type { Work } from "./slices.ts";

/** The CPU time of one request for conditions, groups and patterns, unless the option says otherwise. */
export const DEFAULT_BUDGET_MS = 2000;
/** The time from which on the process's CPU time is read: that takes a tenth of the time of a usual search. */
const MIN_COMPARED_MS = 2;
/** The most cells of rows, of about 64 bytes each, that one request may hold, and all requests together. */
const MAX_CELLS = 4_000_000;
const MAX_CELLS_OF_ALL = 8_000_000;

/** The cells that requests hold at this moment. */
let heldByAll = 0;

/** Ends the work of a request whose client has gone. It is never sent. */
export class ClientLeft extends StandinError {
  constructor() {
    super("QUERY_TOO_COSTLY", "The client has closed the connection.");
  }

  override ofRequest(): this {
    return this;
  }
}

/** Pays for the work of a query. Its account is opened when it is first asked for: most queries cost next to nothing. */
export interface Payer {
  readonly account: WorkAccount;
}

/**
 * The account of one request: the time that its query has taken, and the memory of its rows. Work is charged to it step by
 * step, so that a request which costs too much ends between two steps, before anything is written.
 */
export class WorkAccount {
  /** A further write by filter in the same request is charged, too: together they could take for ever. */
  hasWrittenByFilter = false;
  readonly #budgetMs: number;
  readonly #client: { readonly hasLeft: boolean } | undefined;
  #spentMs = 0;
  /** The time that a database has worked for the request. */
  #databaseMs = 0;
  /** The process's CPU time when the first step was charged, or less; undefined while little is charged. */
  #cpuAtStart: number | undefined;
  #cells = 0;

  /** A budget of 0 is none. Programs have no client that could leave. */
  constructor(budgetMs: number, client?: { readonly hasLeft: boolean }) {
    this.#budgetMs = budgetMs;
    this.#client = client;
  }

  /** Charges the duration of a step. Throws if the budget is spent or the client has gone. */
  charge(durationMs: number): void {
    if (this.#budgetMs !== 0) {
      this.#spentMs += durationMs;
      if (this.#spentMs > Math.min(MIN_COMPARED_MS, this.#budgetMs)) this.#cpuAtStart ??= cpuMs() - this.#spentMs;
    }
    this.expectMore();
  }

  /** Notes time that a database has worked for the request; a negative one takes it back. */
  chargeDatabase(durationMs: number): void {
    this.#databaseMs += durationMs;
  }

  /** Throws if the budget is spent or the client has gone. */
  expectMore(): void {
    this.expectClient();
    if (this.#budgetMs === 0 || this.#spentMs + this.#databaseMs <= this.#budgetMs) return;
    // Beside other programs a step takes longer than its work; the process cannot have worked less than the request.
    const workedMs = this.#cpuAtStart === undefined ? 0 : cpuMs() - this.#cpuAtStart;
    if (Math.min(this.#spentMs, workedMs) + this.#databaseMs <= this.#budgetMs) return;
    const spent = this.#databaseMs > this.#spentMs ? "ms in the database" : "ms of CPU time";
    throw new StandinError(
      "QUERY_TOO_COSTLY",
      `Evaluating the conditions, patterns and groups of this request took more than ${this.#budgetMs} ${spent}; ` +
        "nothing was changed. Use fewer or simpler conditions, or raise the limit with --queryBudget (0 is no limit).",
    );
  }

  /** Throws if the client has gone. */
  expectClient(): void {
    if (this.#client?.hasLeft) throw new ClientLeft();
  }

  /** Claims memory for rows until `release`. Throws if there would be too many. */
  claim(cells: number): void {
    if (this.#cells + cells > MAX_CELLS) {
      throw new StandinError(
        "QUERY_TOO_COSTLY",
        `The groups of this request need more memory than one request may use (${MAX_CELLS} cells of 64 bytes). ` +
          "Group by fields with fewer different values, or ask for fewer aggregates.",
      );
    }
    if (heldByAll + cells > MAX_CELLS_OF_ALL) {
      throw new StandinError(
        "QUERY_TOO_COSTLY",
        "Other requests are using the memory for groups. Try again when they are done.",
        { "Retry-After": "1" },
      );
    }
    this.#cells += cells;
    heldByAll += cells;
  }

  release(): void {
    heldByAll -= this.#cells;
    this.#cells = 0;
  }
}

/** Charges each step of work to an account. Without an account, the work itself. */
export function metered<T>(work: Work<T>, account: WorkAccount | undefined): Work<T> {
  return account ? charging(work, account) : work;
}

function* charging<T>(work: Work<T>, account: WorkAccount): Work<T> {
  for (;;) {
    const startedAt = performance.now();
    const { done, value } = work.next();
    account.charge(performance.now() - startedAt);
    if (done) return value;
    yield value;
  }
}

/** Ends work that is not charged once the client has gone. */
export function whileWanted<T>(work: Work<T>, account: WorkAccount | undefined): Work<T> {
  return account ? watching(work, account) : work;
}

function* watching<T>(work: Work<T>, account: WorkAccount): Work<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    account.expectClient();
    yield value;
  }
}

function cpuMs(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1000;
}
