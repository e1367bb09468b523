import type { Json } from "../../src/base/json/json.ts";

export const OPERATORS = [
  "eq",
  "ne",
  "gt",
  "gte",
  "lt",
  "lte",
  "in",
  "nin",
  "like",
  "contains",
  "startsWith",
  "endsWith",
  "null",
] as const;
export type Operator = (typeof OPERATORS)[number];

/** One condition; several values are alternatives (for `ne` and `nin`: all are excluded). */
export interface Leaf {
  readonly kind: "leaf";
  readonly path: string;
  readonly operator: Operator;
  readonly isNegated: boolean;
  readonly values: readonly string[];
}

export type Tree =
  | Leaf
  | { readonly kind: "and" | "or"; readonly parts: readonly Tree[] }
  | { readonly kind: "not"; readonly part: Tree };

export interface Key {
  readonly path: string;
  readonly isDescending: boolean;
}

export interface Column {
  readonly kind: "count" | "sum" | "avg" | "min" | "max";
  readonly path: string;
}

export type Part =
  | { readonly kind: "page" | "envelope"; readonly page: number; readonly size: number }
  | { readonly kind: "slice"; readonly start: number; readonly end: number | undefined }
  /** All pages of this size, one after the other. */
  | { readonly kind: "walk"; readonly size: number };

/** A list request as structure, before anything is spelled. */
export interface Question {
  readonly where: readonly Tree[];
  readonly search: string;
  readonly sort: readonly Key[];
  readonly part?: Part | undefined;
  readonly fields?: { readonly names: readonly string[]; readonly isDropping: boolean } | undefined;
  readonly groups?:
    | {
        readonly paths: readonly string[];
        readonly columns: readonly Column[];
        readonly having: readonly Leaf[];
      }
    | undefined;
}

/** The response: how many there are in all, and the elements of the list. */
export interface Outcome {
  readonly total: number;
  readonly list: readonly Json[];
}
