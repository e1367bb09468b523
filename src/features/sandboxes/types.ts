import type { Renumbered } from "./promote/new-ids.ts";

export interface SandboxLimits {
  /** How many there may be at a time. */
  readonly count: number;
  /** Unused for this long, a sandbox is removed. */
  readonly expirySeconds: number;
  /** Upper bound for all of them together, by estimate. */
  readonly megabytes: number;
}

/** The side that a record is taken from where both have changed it. */
export type Side = "main" | "sandbox";

export interface ConflictChoice {
  readonly collection: string;
  readonly id: string | number | null;
  readonly take: Side;
}

export interface PromoteOptions {
  /** Which side wins for records that both have changed: one for all, or a choice for each. */
  readonly conflicts?: Side | readonly ConflictChoice[];
  /** Gives records that both sides have created with the same id new ids, and redirects references to them. */
  readonly renumber?: boolean;
}

/** The outcome of a promotion. */
export interface Promotion {
  readonly created: number;
  readonly changed: number;
  readonly removed: number;
  /** The records that were given new ids. */
  readonly renumbered: readonly Renumbered[];
}
