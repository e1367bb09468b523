import { ClientLeft, type WorkAccount } from "../../../base/work-account.ts";
import type { Statements } from "./connection.ts";

/** How often a read is looked at. */
export const LOOK_MS = 50;

/** The account that pays for a read, and whether its time counts; if not, the read only ends when the client leaves. */
export interface Payment {
  readonly account: WorkAccount;
  readonly isCharged: boolean;
}

/** A statement as the driver keeps it. */
interface DriverStatement {
  /** Whether it is the one that its connection is working at. */
  readonly active: boolean;
  /** The connection that it was sent on. */
  readonly state: { readonly pid: number | null } | null;
}

/** A read, and the statement that it waits for. */
export class WatchedRead {
  /** Why its result is no longer wanted. */
  refusal: unknown;
  readonly #payment: Payment;
  #statement: DriverStatement | undefined;
  #chargedUntil = 0;
  #chargedMs = 0;

  constructor(payment: Payment) {
    payment.account.expectClient();
    this.#payment = payment;
  }

  /** Sends statements, and notes each. */
  noting(sql: Statements): Statements {
    const unsafe = (...parts: Parameters<typeof sql.unsafe>) => {
      if (this.refusal !== undefined) throw this.refusal;
      const statement = sql.unsafe(...parts);
      this.charge(performance.now());
      this.#statement = statement as unknown as DriverStatement;
      return statement;
    };
    return { unsafe } as Statements;
  }

  /** The process of the database that works at its statement. */
  get pid(): number | undefined {
    return this.#statement?.active ? (this.#statement.state?.pid ?? undefined) : undefined;
  }

  /** Whether its statement runs, and it was charged an interval or more. */
  get isLong(): boolean {
    return this.#chargedMs >= LOOK_MS && this.pid !== undefined;
  }

  get isAbandoned(): boolean {
    return this.refusal instanceof ClientLeft;
  }

  /** Charges the time since the last look, and finds out whether the result is still wanted. */
  look(now: number): void {
    if (this.pid === undefined) this.#chargedUntil = now;
    else this.charge(now);
    if (this.refusal !== undefined) return;
    const { account, isCharged } = this.#payment;
    try {
      if (isCharged) account.expectMore();
      else account.expectClient();
    } catch (thrown) {
      this.refusal = thrown;
    }
  }

  /** Charges no more than one interval: if a look is late, the machine is busy with other things, too. */
  charge(now: number): void {
    const durationMs = this.#statement ? Math.min(now - this.#chargedUntil, LOOK_MS) : 0;
    this.#chargedUntil = now;
    if (!this.#payment.isCharged) return;
    this.#chargedMs += durationMs;
    this.#payment.account.chargeDatabase(durationMs);
  }

  /** Takes back what was charged: the statement has waited for others, not worked. */
  excuse(): void {
    this.#payment.account.chargeDatabase(-this.#chargedMs);
    this.#chargedMs = 0;
    if (!this.isAbandoned) this.refusal = undefined;
  }
}
