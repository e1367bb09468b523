import type { Json } from "../../../src/base/json/json.ts";
import { type Change, type Position, START } from "./change.ts";
import { afterChange, type Data } from "./data.ts";
import type { Batch, Loaded, Log } from "./log.ts";

/** Keeps changes in memory alone: those since the last fold. */
export class NoLog implements Log {
  #folded: Data;
  #from: Position;
  #changes: Change[] = [];
  readonly #notes = new Map<string, Json>();

  constructor(data: Data, at: Position = START) {
    this.#folded = data;
    this.#from = at;
  }

  async load(): Promise<Loaded> {
    const data = this.#changes.reduce(afterChange, this.#folded);
    return { data, at: this.#newest, notes: new Map(this.#notes) };
  }

  async append(_from: Position, plan: (others: readonly Change[]) => Batch): Promise<void> {
    this.appendNow(plan([]));
  }

  appendNow({ changes, notes }: Batch): void {
    this.#changes.push(...changes);
    for (const { key, value } of notes) {
      if (value === undefined) this.#notes.delete(key);
      else this.#notes.set(key, value);
    }
  }

  async position(): Promise<Position> {
    return this.#newest;
  }

  async *read({ version }: Position): AsyncIterable<Change> {
    yield* this.#changes.filter((change) => change.version > version);
  }

  async fold(data: Data, at: Position): Promise<void> {
    this.#folded = data;
    this.#from = at;
    this.#changes = this.#changes.filter(({ version }) => version > at.version);
  }

  get #newest(): Position {
    return this.#changes.at(-1) ?? this.#from;
  }
}
