import { isSameJson, type Json } from "../../api/json.ts";
import type { FieldType } from "../../api/overview.ts";
import { draftOf, type FieldDraft, isBlank, kindFor, problemIn, valueIn } from "../editor/field-drafts.ts";

/** The draft of a cell. One without a value gets the kind that its column has. */
export function cellDraft(field: string, value: Json | undefined, types: readonly FieldType[]): FieldDraft {
  if (value !== undefined && value !== null) return draftOf(field, value);
  return { name: field, kind: kindFor(types), text: "" };
}

export type CellInput =
  | { readonly kind: "same" }
  | { readonly kind: "value"; readonly value: Json }
  | { readonly kind: "problem"; readonly message: string };

/** Reads the draft of a cell. An empty one without a value stays without one. */
export function readCell(draft: FieldDraft, before: Json | undefined): CellInput {
  if ((before === undefined || before === null) && isBlank(draft)) return { kind: "same" };
  const problem = problemIn([draft]);
  if (problem) return { kind: "problem", message: problem.violations[0]?.message ?? problem.problem };
  const value = valueIn(draft) as Json;
  return isSameJson(value, before) ? { kind: "same" } : { kind: "value", value };
}
