import type { Eventually } from "../base/eventually.ts";
import type { Json, JsonObject } from "../base/json/json.ts";
import type { Payer, WorkAccount } from "../base/work-account.ts";
import type { Path } from "./path.ts";
import type { LiteralPieces } from "./pattern-literals.ts";
import type { Window } from "./window.ts";

/** One filter: any value at `path` has the relation `operator` to any of `values` (for `ne`: to none). */
export interface Condition {
  /** The name of its comparison. */
  readonly operator: string;
  /** The operator that compares: `eq` and `ne` for the lists of `in` and `nin`. */
  readonly comparison: Comparison;
  readonly path: Path;
  readonly values: readonly string[];
  /** Tests one value that is neither null nor an array; compiled once per query. */
  readonly holds: (value: Scalar) => boolean;
  /** Whether a test may be slow (a regular expression), so that a scan must pause for other requests. */
  readonly isSlow: boolean;
  /** For patterns and parts of texts, by value: texts in lower case that every match contains. */
  readonly literals?: readonly (readonly string[])[];
  /** By value: what a text of ASCII letters without line ends has exactly if it holds; undefined when only `holds` can tell. */
  readonly pieces?: readonly (LiteralPieces | undefined)[];
  /** Tests a whole object, for operators that look at more than scalars. */
  readonly holdsObject?: (value: JsonObject) => boolean;
  /** Keeps exactly the records that the condition would drop. */
  readonly isNegated?: boolean;
  /** Has no operator: ignored when no record has the field, as in 0.17. */
  readonly isPlain?: boolean;
  /** Comes from the path of a nested route: it applies even when no record has the field. */
  readonly isFromPath?: boolean;
}

/** How an operator tests records. */
export interface Comparison {
  /** Whether a record meets a condition that compares this way. */
  readonly meets: (record: Json, condition: Condition) => boolean;
  /** The condition as SQL that is never NULL; undefined where this process must test the records. */
  readonly sql: <F>(database: ConditionSql<F>, condition: Condition) => F | undefined;
  /** The kind of index that finds its records. */
  readonly index: "equality" | "range" | "text" | undefined;
  /** For ranges: which end the operand is, and whether it lies outside. */
  readonly bound: { readonly isLower: boolean; readonly isStrict: boolean } | undefined;
  /** Looks its values up, so that many cost as much as one, and takes null. */
  readonly isLookup: boolean;
}

/** The tests of a database, in which operators write their conditions. `F` is a piece of SQL. */
export interface ConditionSql<F> {
  /** Creates SQL: sql`${value} -> ${name}`. LiteralPieces are inserted, anything else becomes a parameter. */
  readonly sql: (strings: TemplateStringsArray, ...values: unknown[]) => F;
  /** SQL that never comes from a request. */
  readonly constant: (text: string) => F;
  /** Whether a tested value has the text of one of the values; or whether there are values, and none of them has. */
  isAnyOf(condition: Condition): F;
  isNoneOf(condition: Condition): F;
  isWithin(condition: Condition): F;
  /** Whether a text has one of the values between what these patterns of LIKE match. */
  isLike(condition: Condition, before: "" | "%", after: "" | "%"): F;
  /** Whether the text of a tested value matches one of the patterns; undefined if the database has no such pattern. */
  matches(condition: Condition): F | undefined;
  isNull(condition: Condition): F;
  /** A table `o(value)` of the objects at a path, also of those in arrays. */
  readonly objectsAt: (path: Path) => F;
}

/** Filters of which all or at least one must be met. */
export interface Combination {
  readonly operator: "and" | "or";
  readonly comparison?: undefined;
  readonly parts: readonly Filter[];
}

export type Filter = Condition | Combination;

/** A value that a condition tests: a scalar, or the text form of an array or object. */
export type Scalar = string | number | boolean;

export interface SortKey {
  readonly path: Path;
  readonly descending: boolean;
  /** Given where an operator computes what records are sorted by; else it is the value at the path. */
  readonly order?: Order;
  /** Its direction in `_order`, if that is neither `asc` nor `desc`: it sorts ascending then, as in 0.17. */
  readonly unknownOrder?: string;
}

/** A number that an operator computes from records to sort them by. */
export interface Order {
  /** As it was written, such as `near(41.9,12.5)`. */
  readonly text: string;
  readonly valueOf: (record: Json) => number | undefined;
  /** The same as SQL: a `float8`, or NULL. */
  readonly sql: <F>(database: ConditionSql<F>) => F;
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

/** Tells which fields the records of a collection have; a store does. */
export interface FieldsOfRecords {
  /** Those of the paths, as texts, at which any record has a value (null included). */
  heldPaths(collection: string, paths: readonly string[], account?: WorkAccount): Eventually<ReadonlySet<string>>;
  /** Whether any record has a value at the path; undefined where that takes a search or a round trip. */
  heldAtHand(collection: string, path: string): boolean | undefined;
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
  payer?: Payer | undefined;
}
