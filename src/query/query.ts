import type { Path } from "./path.ts";
import type { Window } from "./window.ts";

/** What a filter's name may end in; without one it asks for equality. */
export const OPERATORS = ["gte", "lte", "ne", "like"] as const;
export type Operator = "eq" | (typeof OPERATORS)[number];

/** One filter: some value at `path` stands in the relation `operator` to any of `values` (for `ne`: to none). */
export interface Condition {
  readonly operator: Operator;
  readonly path: Path;
  readonly values: readonly string[];
  /** The judgement on one value that is neither null nor an array, made ready once per query. */
  readonly holds: (value: Scalar) => boolean;
  /** Whether a judgement may be slow (a regular expression), so that a scan must leave room for others. */
  readonly isSlow: boolean;
  /** For `like`, by value: texts in lower case that whatever matches must contain. */
  readonly literals?: readonly (readonly string[])[];
  /** Comes from the path of a nested route: it holds even when no record has the field. */
  readonly isFromPath?: boolean;
}

/** What a condition judges: a value, or the text form of an array or object. */
export type Scalar = string | number | boolean;

export interface SortKey {
  readonly path: Path;
  readonly descending: boolean;
}

/** A list request, parsed: which records, in which order, how many, with what beside them. */
export interface Query {
  readonly where: readonly Condition[];
  /** Lower-case text that some value must contain; empty for none. */
  readonly search: string;
  readonly sort: readonly SortKey[];
  readonly window: Window;
  readonly embed: readonly string[];
  readonly expand: readonly string[];
}
