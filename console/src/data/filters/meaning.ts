import type { Overview } from "../../api/overview.ts";
import type { Condition } from "../condition.ts";
import { factsOf } from "../editor/field-facts.ts";
import { choicesFor } from "../operators.ts";
import type { FieldKind, KnownField } from "../table/columns.ts";

export function kindOf(fields: readonly KnownField[], path: string): FieldKind {
  return fields.find(({ name }) => name === path)?.kind ?? "text";
}

/** Whether the values of a field are chosen from a list: an enum, a few texts, or the records of another collection. */
export function hasChoices(overview: Overview, collection: string, path: string): boolean {
  const { rule, known, reference } = factsOf(overview, collection, path);
  return reference !== undefined || rule?.enum !== undefined || known?.values !== undefined;
}

/** The condition on a field that people mean most often, without its value. */
export function newCondition(overview: Overview, collection: string, { name, kind }: KnownField): Condition {
  if (hasChoices(overview, collection, name)) return { path: name, operator: "in", value: "" };
  const [first] = choicesFor(kind);
  return { path: name, operator: first?.operator ?? "eq", value: first?.value ?? "" };
}
