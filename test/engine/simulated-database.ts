import type { Random } from "../compat/random.ts";
import { type Change, isAt, type Position, START } from "./spike/change.ts";
import { afterChange, type Data } from "./spike/data.ts";
import { type Batch, Diverged, type Loaded, type Log, LogUnavailable, OutcomeUnknown } from "./spike/log.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** How often things go wrong, each as a share of the requests to the database. */
export interface Faults {
  readonly refused: number;
  readonly lostReply: number;
  /** The process stands still for a minute, in the middle of something. */
  readonly paused: number;
}

export const NO_FAULTS: Faults = { refused: 0, lostReply: 0, paused: 0 };

/** One database that several processes share: orders changes by a lock, as PostgreSQL does, and can fail over. */
export class SimulatedDatabase {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly begin: Data;
  changes: Change[] = [];
  /** The changes that a fold has made unnecessary. */
  pruned = 0;
  folded: Data;
  foldedAt: Position = START;
  /** Another one after each failover, which ends all transactions. */
  generation = 0;
  #holder: object | undefined;
  readonly #queue: (() => void)[] = [];

  constructor(time: VirtualTime, random: Random, begin: Data) {
    this.time = time;
    this.random = random;
    this.begin = begin;
    this.folded = begin;
  }

  get newest(): Position {
    return this.changes.at(-1) ?? this.foldedAt;
  }

  /** The changes behind a position, which must be one of this line. */
  after(from: Position): readonly Change[] {
    if (isAt(from, this.foldedAt)) return this.changes;
    const at = this.changes.findIndex(({ version }) => version === from.version);
    if (at === -1 || !isAt(this.changes[at]!, from)) throw new Diverged(`version ${from.version} is not in the log`);
    return this.changes.slice(at + 1);
  }

  async lock(holder: object): Promise<void> {
    while (this.#holder) await new Promise<void>((free) => this.#queue.push(free));
    this.#holder = holder;
    // The database ends a transaction whose client says nothing for long.
    void this.time.sleep(10_000).then(() => this.unlock(holder));
  }

  holds(holder: object): boolean {
    return this.#holder === holder;
  }

  unlock(holder: object): void {
    if (this.#holder !== holder) return;
    this.#holder = undefined;
    this.#queue.shift()?.();
  }

  /** Keeps the data of an earlier position, and forgets the changes up to it. */
  prune(keep: number): void {
    const gone = this.changes.splice(0, Math.max(0, this.changes.length - keep));
    this.folded = gone.reduce(afterChange, this.folded);
    this.foldedAt = gone.at(-1) ?? this.foldedAt;
    this.pruned += gone.length;
  }

  /** Another server takes over, which may lack the newest changes. */
  failOver(lost: number): void {
    this.changes.splice(this.changes.length - Math.min(lost, this.changes.length));
    this.generation++;
    if (this.#holder) this.unlock(this.#holder);
  }
}

/** The log of one process in that database, over a network with faults. */
export class SimulatedLog implements Log {
  readonly #database: SimulatedDatabase;
  faults: Faults = NO_FAULTS;

  constructor(database: SimulatedDatabase) {
    this.#database = database;
  }

  async load(): Promise<Loaded> {
    for (;;) {
      try {
        await this.#travel();
        const { folded, changes, newest } = this.#database;
        return { data: changes.reduce(afterChange, folded), at: newest, notes: new Map() };
      } catch (thrown) {
        if (!(thrown instanceof LogUnavailable)) throw thrown;
      }
    }
  }

  async append(from: Position, plan: (others: readonly Change[]) => Batch): Promise<void> {
    const database = this.#database;
    const transaction = {};
    await this.#travel();
    await database.lock(transaction);
    let batch: Batch;
    try {
      batch = plan(database.after(from));
      await this.#travel();
      if (!database.holds(transaction)) throw new LogUnavailable("the transaction was ended");
      database.changes.push(...batch.changes);
    } finally {
      database.unlock(transaction);
    }
    const last = batch.changes.at(-1);
    if (last && this.#happens(this.faults.lostReply)) await this.#expectKept(last);
  }

  async position(): Promise<Position> {
    await this.#travel();
    const { newest } = this.#database;
    await this.#travel();
    return newest;
  }

  async *read(from: Position): AsyncIterable<Change> {
    await this.#travel();
    for (const change of this.#database.after(from)) {
      if (this.#happens(0.2)) await this.#travel();
      yield change;
    }
  }

  async fold(): Promise<void> {}

  /** The reply to a COMMIT was lost: whoever gets the lock after it sees whether it was carried out. */
  async #expectKept(last: Change): Promise<void> {
    const database = this.#database;
    const transaction = {};
    for (let tries = 0; tries < 3; tries++) {
      try {
        await this.#travel();
      } catch {
        continue;
      }
      await database.lock(transaction);
      const isKept = database.changes.some((change) => isAt(change, last));
      const isPruned = database.foldedAt.version >= last.version;
      database.unlock(transaction);
      if (isKept) return;
      if (!isPruned) throw new LogUnavailable("the transaction was not carried out");
    }
    throw new OutcomeUnknown("the database did not say whether the transaction was carried out");
  }

  async #travel(): Promise<void> {
    const { time, random } = this.#database;
    if (this.#happens(this.faults.refused)) {
      await time.sleep(random.int(1, 50));
      throw new LogUnavailable("the connection was lost");
    }
    await time.sleep(this.#happens(this.faults.paused) ? 60_000 : random.int(0, 5));
  }

  #happens(share: number): boolean {
    return this.#database.random.chance(share);
  }
}
