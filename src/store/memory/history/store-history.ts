import { StandinError } from "../../../base/errors.ts";
import { andThen, type Eventually } from "../../../base/eventually.ts";
import type { VersionPage, VersionQuery } from "../../history.ts";
import { type ExchangeOptions, type KeptVersion, Overtaken, type StoreHistory } from "../../history.ts";
import type { Change } from "../../store.ts";
import { Collection } from "../collection.ts";
import type { Journal } from "../journal.ts";
import type { State } from "../state.ts";
import type { StateHistory } from "./state-history.ts";

/** Data with a past. */
export interface PastData {
  readonly history: StateHistory | undefined;
  readonly journal: Journal;
  /** Resolves to the state that is to be the next one; rejects if the rules do not allow it. */
  judged(next: State): Eventually<State>;
}

/** The past of data in memory, in moments that requests can read. */
export class MemoryHistory<Moment extends object> implements StoreHistory<Moment> {
  readonly #data: PastData;
  readonly #history: StateHistory;
  readonly #open: (state: State) => Moment;
  readonly #moments = new WeakMap<State, Moment>();

  constructor(data: PastData, history: StateHistory, open: (state: State) => Moment) {
    this.#data = data;
    this.#history = history;
    this.#open = open;
  }

  get oldest(): number {
    return this.#history.oldest;
  }

  get latest(): number {
    return this.#history.latest;
  }

  versionOf({ version }: Change): number {
    return version;
  }

  isTooLarge({ version }: Change): boolean {
    return this.#history.changes.tooLarge === version;
  }

  list(query: VersionQuery): Eventually<VersionPage> {
    return this.#history.list(query);
  }

  find(version: number): Eventually<KeptVersion> {
    return this.#history.find(version);
  }

  versionAt(time: number): number {
    return this.#history.versionAt(time);
  }

  expect(version: number): void {
    this.#history.expect(version);
  }

  at(version: number): Eventually<Moment> {
    return andThen(this.#history.at(version), (state) => {
      const known = this.#moments.get(state) ?? this.#open(state);
      this.#moments.set(state, known);
      return known;
    });
  }

  settled(): number {
    return this.latest;
  }

  async restore(version: number, { after, ...origin }: ExchangeOptions = {}): Promise<void> {
    const moment = await this.#history.at(version);
    const next = (): Eventually<State> => {
      if (after !== undefined && after !== this.latest) throw new Overtaken();
      const present = moment.fork();
      for (const [, member] of present.members()) if (member instanceof Collection) member.isOfPast = false;
      return this.#data.judged(present);
    };
    await this.#data.journal.exchange(next, { cause: "restore", ...origin });
  }

  async clear(): Promise<void> {
    if (this.#history.clearKept) await this.#history.clearKept();
    else this.#history.clear();
  }
}

/** The journal of a moment, which refuses all writes. */
export function noWrites({ version }: State): Journal {
  const refuse = (): Promise<never> =>
    Promise.reject(
      new StandinError(
        "HISTORY_READ_ONLY",
        `This is the data as it was at version ${version}, which nobody can change. Write to the present data, or take ` +
          "a version back: POST /__history/<version>/revert.",
        { Allow: "GET, HEAD, QUERY" },
      ),
    );
  return {
    engine: "memory",
    place: `the past, at version ${version}`,
    ready: refuse,
    prepare: refuse,
    commit: refuse,
    keep: refuse,
    alter: refuse,
    exchange: refuse,
    swapNow: refuse,
    close: async () => {},
  };
}
