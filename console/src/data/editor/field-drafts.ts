import { type Json, type JsonObject, parseJson } from "../../api/json.ts";
import { fieldOf, pointerTo, type Violation } from "../../api/violation.ts";
import { keepsDigits } from "./values/exact-number.ts";
import type { Moment } from "./values/moment.ts";

export const FIELD_KINDS = ["text", "number", "boolean", "null", "json"] as const;
export type FieldKind = (typeof FIELD_KINDS)[number];

/** A field in the form: the input, not parsed yet. */
export interface FieldDraft {
  readonly name: string;
  readonly kind: FieldKind;
  readonly text: string;
  /** Added by hand: its name can still be typed. */
  readonly isAdded?: boolean;
  /** The record does not have it yet: left out again while it is empty. */
  readonly isSpare?: boolean;
  /** Filled with plausible data, and not edited since: other data may replace it. */
  readonly isFilled?: boolean;
  /** A date of which a part is still missing: the control has no text for it. */
  readonly isIncomplete?: boolean;
  /** The mistake in the form of an object, whose text is that of its last valid state. */
  readonly innerProblem?: string | undefined;
  /** Meant for a file, which is still to be chosen. */
  readonly isFile?: boolean;
  /** It was null: emptied, it is again. */
  readonly wasNull?: boolean;
  /** The spelling of a date and time before it was cleared. */
  readonly spelling?: Moment;
}

/** The form of a record, without its id: that one is decided by the address. */
export function draftsOf(record: JsonObject, idKey: string): FieldDraft[] {
  return Object.keys(record)
    .filter((name) => name !== idKey)
    .map((name) => draftOf(name, record[name] as Json));
}

export function draftOf(name: string, value: Json): FieldDraft {
  if (value === null) return { name, kind: "null", text: "" };
  if (typeof value === "string") return { name, kind: "text", text: value };
  if (typeof value === "number") return { name, kind: "number", text: String(value) };
  if (typeof value === "boolean") return { name, kind: "boolean", text: String(value) };
  return { name, kind: "json", text: JSON.stringify(value, null, 2) };
}

/** The problems of a form that no server needs to see; undefined when there is none. */
export interface FormProblem {
  /** The first of them, as a sentence. */
  readonly problem: string;
  /** Those that belong to one field. */
  readonly violations: readonly Violation[];
}

export function problemIn(drafts: readonly FieldDraft[]): FormProblem | undefined {
  const names = new Set<string>();
  const violations = drafts.flatMap((draft): Violation[] => {
    const message = (names.has(draft.name) ? "is there twice" : undefined) ?? problemOf(draft);
    names.add(draft.name);
    return message === undefined ? [] : [{ pointer: pointerTo(draft.name), message }];
  });
  const [first] = violations;
  return first && { problem: `${fieldOf(first) || "The new field"} ${first.message}.`, violations };
}

function problemOf({ name, kind, text, isAdded, isIncomplete, innerProblem }: FieldDraft): string | undefined {
  if (isAdded && name === "") return "needs a name";
  if (innerProblem !== undefined) return innerProblem;
  if (isIncomplete) return "must be a whole date";
  if (kind === "number" && (text.trim() === "" || !Number.isFinite(Number(text)))) return "must be a number";
  if (kind === "number" && !keepsDigits(text)) return "has more digits than a number keeps; make it a text";
  if (kind === "json" && parseJson(text) === undefined) return "is not valid JSON";
  return undefined;
}

/** Whether a field of a record to be, or one that the record does not have yet, is left out. */
export function isBlank({ kind, text, isIncomplete }: FieldDraft): boolean {
  return text === "" && kind !== "null" && !isIncomplete;
}

/** The record that the form stands for. Call it only when no field has a problem. */
export function recordOf(drafts: readonly FieldDraft[]): JsonObject {
  return Object.fromEntries(drafts.map((draft) => [draft.name, valueIn(draft) as Json]));
}

/** Converts the draft to another kind, keeping the input where possible. */
export function inKind(draft: FieldDraft, kind: FieldKind): FieldDraft {
  if (kind === "boolean") return { ...draft, kind, text: draft.text === "true" ? "true" : "false" };
  if (kind === "json" && draft.kind === "text") return { ...draft, kind, text: JSON.stringify(draft.text) };
  if (kind === "text" && draft.kind === "json") {
    const value = parseJson(draft.text);
    return { ...draft, kind, text: typeof value === "string" ? value : draft.text };
  }
  return { ...draft, kind };
}

/** The kind of a field with these types, in the words of the overview or of JSON Schema; text if they differ. */
export function kindFor(types: readonly string[]): FieldKind {
  const [kind = "text", ...others] = new Set(
    types.filter((type) => type !== "null").map((type) => KINDS[type] ?? "text"),
  );
  return others.length === 0 ? kind : "text";
}

const KINDS: Readonly<Record<string, FieldKind>> = {
  integer: "number",
  number: "number",
  boolean: "boolean",
  object: "json",
  array: "json",
};

/** The value that was typed; undefined for JSON that is none. */
export function valueIn({ kind, text }: FieldDraft): Json | undefined {
  if (kind === "number") return Number(text);
  if (kind === "boolean") return text === "true";
  if (kind === "null") return null;
  return kind === "json" ? parseJson(text) : text;
}
