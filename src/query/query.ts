import type { ExactNumber } from "../base/json/exact/exact-number.ts";
import type { WorkAccount } from "../base/work-account.ts";
import type { Path } from "./path.ts";
import type { Window } from "./window.ts";

/** How a condition compares. The lists of `in` and `nin` are those of `eq` and `ne`. */
export type Comparison =
  | "eq"
  | "ne"
  | "gt"
  | "gte"
  | "lt"
  | "lte"
  | "like"
  | "contains"
  | "startsWith"
  | "endsWith"
  | "null";

/** One filter: any value at `path` has the relation `operator` to any of `values` (for `ne`: to none). */
export interface Condition {
  readonly operator: Comparison;
  readonly path: Path;
  readonly values: readonly string[];
  /** Tests one value that is neither null nor an array; compiled once per query. */
  readonly holds: (value: Scalar) => boolean;
  /** Whether a test may be slow (a regular expression), so that a scan must pause for other requests. */
  readonly isSlow: boolean;
  /** For patterns and parts of texts, by value: texts in lower case that every match contains. */
  readonly literals?: readonly (readonly string[])[];
  /** As `holds`, for a text of ASCII letters in lower case without line ends; undefined when only `holds` can tell. */
  readonly holdsLower?: ((text: string) => boolean) | undefined;
  /** Keeps exactly the records that the condition would drop. */
  readonly isNegated?: boolean;
  /** Has no operator: ignored when no record has the field, as in 0.17. */
  readonly isPlain?: boolean;
  /** Comes from the path of a nested route: it applies even when no record has the field. */
  readonly isFromPath?: boolean;
}

/** Filters of which all or at least one must be met. */
export interface Combination {
  readonly operator: "and" | "or";
  readonly parts: readonly Filter[];
}

export type Filter = Condition | Combination;

/** A value that a condition tests: a scalar, or the text form of an array or object. */
export type Scalar = string | number | boolean | ExactNumber;

export interface SortKey {
  readonly path: Path;
  readonly descending: boolean;
}

/** `_fields`: the fields to keep, or to drop. */
export interface FieldSelection {
  readonly paths: readonly Path[];
  readonly drops: boolean;
}

export const AGGREGATES = ["count", "sum", "avg", "min", "max"] as const;

/** One column of a grouped result. */
export interface Aggregate {
  readonly kind: (typeof AGGREGATES)[number];
  /** Undefined for `count`. */
  readonly path: Path | undefined;
  /** Its key in the rows: `count`, `sum_price`. */
  readonly name: string;
}

/** `_group` and `_aggregate`: rows in place of records. */
export interface Grouping {
  readonly paths: readonly Path[];
  readonly aggregates: readonly Aggregate[];
  /** Conditions on the rows. */
  readonly having: readonly Filter[];
}

/** A parsed list request: which records, in which order, how many, in which form. */
export interface Query {
  /** All of these must be met. */
  readonly where: readonly Filter[];
  /** Lower-case text that any value must contain; empty for none. */
  readonly search: string;
  readonly sort: readonly SortKey[];
  readonly window: Window;
  readonly embed: readonly string[];
  readonly expand: readonly string[];
  readonly fields?: FieldSelection | undefined;
  readonly grouping?: Grouping | undefined;
  /** `_per_page`: the list inside an object that names the pages. */
  readonly isEnveloped?: boolean | undefined;
  /** Pays for evaluating it; undefined where that is not limited. */
  account?: WorkAccount | undefined;
}
