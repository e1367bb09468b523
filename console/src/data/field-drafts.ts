import { type Json, type JsonObject, parseJson } from "../api/json.ts";

export const FIELD_KINDS = ["text", "number", "boolean", "null", "json"] as const;
export type FieldKind = (typeof FIELD_KINDS)[number];

/** A field in the form: the input, not parsed yet. */
export interface FieldDraft {
  readonly name: string;
  readonly kind: FieldKind;
  readonly text: string;
  /** Added by hand: its name can still be typed. */
  readonly isAdded?: boolean;
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

/** The problem with a field, in words; undefined when there is none. */
export function problemOf({ name, kind, text, isAdded }: FieldDraft, all: readonly FieldDraft[]): string | undefined {
  if (isAdded && name === "") return "Every field needs a name.";
  if (all.filter((other) => other.name === name).length > 1) return `There are two fields called ${name}.`;
  if (kind === "number" && (text.trim() === "" || !Number.isFinite(Number(text)))) return `${name} must be a number.`;
  if (kind === "json" && parseJson(text) === undefined) return `${name} is not valid JSON.`;
  return undefined;
}

/** The record that the form stands for. Call it only when no field has a problem. */
export function recordOf(drafts: readonly FieldDraft[]): JsonObject {
  return Object.fromEntries(drafts.map((draft) => [draft.name, valueIn(draft)]));
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

function valueIn({ kind, text }: FieldDraft): Json {
  if (kind === "number") return Number(text);
  if (kind === "boolean") return text === "true";
  if (kind === "null") return null;
  return kind === "json" ? (parseJson(text) as Json) : text;
}
