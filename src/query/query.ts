import type { Path } from "./path.ts";
import type { Window } from "./window.ts";

/** The suffixes of a filter's name; without one it tests equality. */
export const OPERATORS = ["gte", "lte", "ne", "like"] as const;
export type Operator = "eq" | (typeof OPERATORS)[number];

/** One filter: any value at `path` has the relation `operator` to any of `values` (for `ne`: to none). */
export interface Condition {
  readonly operator: Operator;
  readonly path: Path;
  readonly values: readonly string[];
  /** Tests one value that is neither null nor an array; compiled once per query. */
  readonly holds: (value: Scalar) => boolean;
  /** Whether a test may be slow (a regular expression), so that a scan must pause for other requests. */
  readonly isSlow: boolean;
  /** For `like`, by value: texts in lower case that every match contains. */
  readonly literals?: readonly (readonly string[])[];
  /** Comes from the path of a nested route: it applies even when no record has the field. */
  readonly isFromPath?: boolean;
}

/** A value that a condition tests: a scalar, or the text form of an array or object. */
export type Scalar = string | number | boolean;

export interface SortKey {
  readonly path: Path;
  readonly descending: boolean;
}

/** A parsed list request: which records, in which order, how many, with which related ones. */
export interface Query {
  readonly where: readonly Condition[];
  /** Lower-case text that any value must contain; empty for none. */
  readonly search: string;
  readonly sort: readonly SortKey[];
  readonly window: Window;
  readonly embed: readonly string[];
  readonly expand: readonly string[];
}
