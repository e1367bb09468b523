/** The beginning of the keys of heads. The names of sandboxes follow, which have no slash. */
export const HEADS = "sandbox/";

/** The beginning of the keys of a sandbox's steps. */
export const stepsOf = (name: string): string => `step/${name}/`;

/** Tells whether the stored value of a key is the one that is known here. */
export interface KeptGuard {
  readonly key: string;
  isCurrent(stored: unknown): boolean;
}

/** A copy of the main data, which sandboxes begin with. */
export interface MainCopy {
  readonly number: number;
  /** The load of the main data that was copied. */
  readonly load: string;
}

/** The head of a sandbox, and the time of its latest use. */
export interface SharedHead {
  readonly head: unknown;
  readonly usedAt: number;
}

/** The sandboxes of all processes on the same data, as copies of the main data and steps behind them. */
export interface SharedSandboxes {
  /** By name. */
  list(): Promise<ReadonlyMap<string, SharedHead>>;
  find(name: string): Promise<SharedHead | undefined>;
  /** The head of a sandbox and its steps of the same moment, by their keys. */
  read(name: string): Promise<{ readonly head: unknown; readonly steps: ReadonlyMap<string, unknown> } | undefined>;
  /** Stores values, all or none, and removes those that are undefined. Resolves to false if the guard refuses. */
  store(values: ReadonlyMap<string, unknown>, guard: KeptGuard): Promise<boolean>;
  remove(name: string): Promise<void>;
  noteUse(name: string, usedAt: number): Promise<void>;
  /** Copies the main data as it is now, unless there is such a copy. Throws when it has more than `maxBytes` of JSON. */
  copyMain(maxBytes: number): Promise<MainCopy>;
  /** A `State` with the data of a copy, whose version is the copy's number. */
  readCopy(number: number): Promise<object>;
  /** Removes sandboxes that were last used before this time, and copies that none needs. */
  sweep(usedBefore: number): Promise<void>;
}
