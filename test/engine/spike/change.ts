import type { Json, JsonObject } from "../../../src/base/json/json.ts";

/** A place in the line of changes. Two changes of one version differ in their mark. */
export interface Position {
  readonly version: number;
  readonly mark: string;
}

/** The place before the first change. */
export const START: Position = { version: 0, mark: "" };

/** What one change does to one record, or to one member of the data. */
export type Edit =
  | { readonly kind: "created"; readonly member: string; readonly slot: number; readonly after: Json }
  | ({ readonly kind: "changed"; readonly member: string; readonly slot: number } & FieldsChanged)
  | { readonly kind: "removed"; readonly member: string; readonly slot: number; readonly before: Json }
  | { readonly kind: "member created"; readonly member: string; readonly type: "collection" | "singleton" }
  | { readonly kind: "member removed"; readonly member: string }
  | { readonly kind: "member renamed"; readonly member: string; readonly to: string };

/** Only the fields that changed; a field that was or is not there is left out on that side. */
export interface FieldsChanged {
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** A step in the line of changes: all of its edits, or none. */
export interface Change extends Position {
  /** The mark of the change before it: what a lost line of changes leaves does not fit behind another one. */
  readonly after: string;
  readonly at: number;
  readonly by: string;
  readonly cause: string;
  readonly edits: readonly Edit[];
}

/** A value kept beside the data, without a version: a receipt, the clock, a delivery. `undefined` removes it. */
export interface Note {
  readonly key: string;
  readonly value: Json | undefined;
}

export function isAt(one: Position, other: Position): boolean {
  return one.version === other.version && one.mark === other.mark;
}
