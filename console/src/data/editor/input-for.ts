import { NAMING } from "../../records/relations.ts";
import type { FieldDraft } from "./field-drafts.ts";
import type { FieldFacts } from "./field-facts.ts";
import { isColour } from "./values/colour.ts";
import { idsIn } from "./values/ids.ts";
import { isDay, parseMoment } from "./values/moment.ts";

/** The controls, by the kind of value they are for. `line` and `text` differ in whether the text may have several lines. */
export type InputKind =
  | "choice"
  | "suggestion"
  | "toggle"
  | "null"
  | "number"
  | "relation"
  | "relations"
  | "date"
  | "date-time"
  | "colour"
  | "json"
  | "line"
  | "text";

/** The control that suits a field: by its rule, by the values of its neighbours, by the value itself. */
export function inputFor({ name, kind, text }: FieldDraft, { rule, known, reference }: FieldFacts): InputKind {
  if (rule?.enum) return "choice";
  if (kind === "null") return "null";
  if (kind === "boolean") return "toggle";
  if (kind === "json") return reference && idsIn(text) && isList({ known, rule }, text) ? "relations" : "json";
  if (text.includes("\n")) return "text";
  if (reference) return "relation";
  if (kind === "number") return "number";
  if (text !== "") return inputForText(name, text, { rule, known });
  const format = rule?.format ?? known?.format;
  if (format === "date" || format === "date-time") return format;
  if (format === "color") return "colour";
  if (known?.values && !NAMING.includes(name)) return "suggestion";
  return format === undefined ? "text" : "line";
}

/** A field that is still empty is a list if its neighbours or the rules say so. */
function isList({ rule, known }: FieldFacts, text: string): boolean {
  return text !== "" || (rule?.type ?? known?.types ?? []).some((type) => type === "array");
}

function inputForText(name: string, text: string, { rule, known }: FieldFacts): InputKind {
  if (isDay(text)) return "date";
  if (parseMoment(text)) return "date-time";
  if (isColour(text)) return "colour";
  if (known?.values?.includes(text) && !NAMING.includes(name)) return "suggestion";
  return (rule?.format ?? known?.format) === undefined ? "text" : "line";
}

/**
 * Whether a control can go on showing a draft. The control of a field stays the same while a person types.
 */
export function canShow(input: InputKind, { kind, text }: FieldDraft, { rule }: FieldFacts): boolean {
  if (input === "choice") return rule?.enum !== undefined;
  if (input === "toggle") return kind === "boolean";
  if (input === "null" || input === "json" || input === "number") return kind === input;
  if (input === "relations") return kind === "json" && idsIn(text) !== undefined;
  if (input === "relation") return (kind === "text" || kind === "number") && !text.includes("\n");
  if (kind !== "text") return false;
  if (input === "date") return text === "" || isDay(text);
  if (input === "date-time") return text === "" || parseMoment(text) !== undefined;
  return input === "text" || !text.includes("\n");
}
