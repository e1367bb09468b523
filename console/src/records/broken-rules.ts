import type { Json, JsonObject } from "../api/json.ts";
import type { Overview, RuledField } from "../api/overview.ts";
import { Refusal } from "../api/refusal.ts";
import { pointerTo, type Violation } from "../api/violation.ts";
import { capitalise } from "../ui/format.ts";

/**
 * Refuses a record that breaks rules which the server leaves to its clients: those of an OpenAPI document, whose
 * operations are judged, but not the routes of the data. Of a changed record, only the changed fields count.
 */
export function expectRulesKept(overview: Overview, collection: string, record: JsonObject, was?: JsonObject): void {
  const rules = overview.recordRules?.[collection];
  if (rules?.checkedBy !== "client") return;
  const judged = rules.fields.filter(({ name }) => !was || record[name] !== was[name]);
  const violations = judged.flatMap((field) => violationOf(field, record[field.name]) ?? []);
  if (violations.length === 0) return;
  const message = violations.map((one) => `${one.pointer.slice(1)} ${one.message}.`).join(" ");
  throw new Refusal(422, "RECORD_INVALID", "The document does not allow this", capitalise(message), violations);
}

function violationOf(field: RuledField, value: Json | undefined): Violation | undefined {
  const message = value === undefined ? field.isRequired && "is required" : problemOf(field, value);
  return message
    ? { pointer: pointerTo(field.name), message, ...(value !== undefined && { given: value }) }
    : undefined;
}

function problemOf(field: RuledField, value: Json): string | undefined {
  if (value === null) return undefined;
  const { enum: choices } = field;
  if (choices && !choices.includes(value)) return `must be one of ${choices.map(String).join(", ")}`;
  if (typeof value === "string") return problemOfText(field, value);
  return typeof value === "number" ? problemOfNumber(field, value) : undefined;
}

function problemOfText({ minLength = 0, maxLength = Infinity, pattern }: RuledField, text: string): string | undefined {
  const { length } = [...text];
  if (length < minLength) return `must have at least ${minLength} characters`;
  if (length > maxLength) return `must have at most ${maxLength} characters`;
  return pattern !== undefined && !matches(pattern, text) ? `must match ${pattern}` : undefined;
}

function problemOfNumber(field: RuledField, value: number): string | undefined {
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum, exclusiveMaximum } = field;
  if (value < minimum) return `must be at least ${minimum}`;
  if (value > maximum) return `must be at most ${maximum}`;
  // OpenAPI 3.0 writes these two as true or false.
  if (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum) return `must be more than ${exclusiveMinimum}`;
  if (typeof exclusiveMaximum === "number" && value >= exclusiveMaximum) return `must be less than ${exclusiveMaximum}`;
  return field.type?.includes("integer") && !Number.isInteger(value) ? "must be a whole number" : undefined;
}

/** A pattern that this browser cannot read is left to the server. */
function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return true;
  }
}
