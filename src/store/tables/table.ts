import type { Fragment } from "../postgres/sql/fragment.ts";

/** How a column's values appear in JSON and compare: numbers, booleans, texts of several kinds, or anything nested. */
export type Family =
  | "integer"
  | "numeric"
  | "float"
  | "float4"
  | "boolean"
  | "text"
  | "padded"
  | "uuid"
  | "enum"
  | "moment"
  | "bytes"
  | "other"
  | "nested";

export interface Column {
  readonly name: string;
  /** The name of its type, for messages. */
  readonly type: string;
  readonly family: Family;
  /** Whether the database computes it: it is never written. */
  readonly isGenerated: boolean;
  /** The expression of its default, or of the next value of its sequence. */
  readonly preset: string | undefined;
}

/** A table or view of the user's, served as a collection. */
export interface Table {
  /** The name of the collection. */
  readonly name: string;
  readonly schema: string;
  /** Its name in SQL. */
  readonly sqlName: Fragment;
  readonly columns: ReadonlyMap<string, Column>;
  /** The columns that tell its records apart, in which they are listed; for a view, all that have an order. */
  readonly order: readonly Column[];
  readonly idKey: string;
  /** Why it cannot be written; undefined if it can. */
  readonly readOnlyBecause: string | undefined;
  readonly count: number;
  /** Its place when parents come before the tables that refer to them. */
  readonly rank: number;
  /** The names of the collections that columns refer to. */
  readonly references: ReadonlyMap<string, string>;
}

export function isNumber({ family }: Column): boolean {
  return family === "integer" || family === "numeric" || family === "float" || family === "float4";
}
