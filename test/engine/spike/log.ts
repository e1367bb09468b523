import type { Json } from "../../../src/base/json/json.ts";
import type { Change, Note, Position } from "./change.ts";
import type { Data } from "./data.ts";

/** What is appended together: all of it is kept, or nothing. */
export interface Batch {
  readonly changes: readonly Change[];
  readonly notes: readonly Note[];
}

export interface Loaded {
  readonly data: Data;
  readonly at: Position;
  readonly notes: ReadonlyMap<string, Json>;
}

/** Where the changes of one scope are kept, in their one order. The only thing that differs between kinds of storage. */
export interface Log {
  load(): Promise<Loaded>;
  /**
   * Runs the plan behind all changes that are there, and appends what it makes. The plan is told those that came after
   * `from`; it may run again when still others come first. Settles when the batch is kept. Rejects with `Diverged` if
   * `from` is no position of this log any more, and so does `read`.
   */
  append(from: Position, plan: (others: readonly Change[]) => Batch): Promise<void>;
  /** The position of the newest change, asked for now. */
  position(): Promise<Position>;
  /** The changes after a position. */
  read(from: Position): AsyncIterable<Change>;
  /** Keeps these data as those of a position, so that a load need not read the changes before it. */
  fold(data: Data, at: Position, keepFrom: Position): Promise<void>;
}

/** The log does not have our position: somebody else's changes are in its place, or it was pruned. Load again. */
export class Diverged extends Error {}

/** Nothing was appended, and nothing can be at the moment. */
export class LogUnavailable extends Error {}

/** The batch may have been appended or not, and nobody can tell at the moment. */
export class OutcomeUnknown extends Error {}
