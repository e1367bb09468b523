import { isJsonObject, isSameJson, type JsonObject } from "../api/json.ts";
import type { Field } from "../api/overview.ts";
import { draftsOf, type FieldDraft, type FieldKind, problemOf, recordOf } from "./field-drafts.ts";

/**
 * The state of a record's form: fields, or the JSON text. One of the two is edited at a time, and its input is kept as
 * typed.
 */
export type RecordForm =
  | { readonly mode: "fields"; readonly drafts: readonly FieldDraft[] }
  | { readonly mode: "json"; readonly text: string };

export type FormResult =
  | { readonly kind: "record"; readonly value: JsonObject }
  | { readonly kind: "problem"; readonly problem: string };

export function formOf(record: JsonObject, idKey: string, mode: RecordForm["mode"] = "fields"): RecordForm {
  if (mode === "json") return { mode, text: JSON.stringify(record, null, 2) };
  return { mode, drafts: draftsOf(record, idKey) };
}

/** The form of a record to be: the fields that its neighbours have, still empty, without those the server fills in. */
export function newForm(fields: readonly Field[], idKey: string): RecordForm {
  const drafts = fields
    .filter(({ name, isKept }) => name !== idKey && !isKept)
    .map(({ name, types }) => ({ name, kind: kindFor(types), text: "" }));
  return { mode: "fields", drafts };
}

/** Reads the form: the record, or the problem with it. Empty fields of a new record are omitted. */
export function readForm(form: RecordForm, idKey: string, was: JsonObject | undefined): FormResult {
  if (form.mode === "json") return readText(form.text, idKey, was);
  const drafts = was ? form.drafts : form.drafts.filter(({ kind, text }) => text !== "" || kind === "null");
  const problem = drafts.map((draft) => problemOf(draft, drafts)).find((found) => found !== undefined);
  if (problem !== undefined) return { kind: "problem", problem };
  const id = was && Object.hasOwn(was, idKey) ? { [idKey]: was[idKey] } : {};
  return { kind: "record", value: { ...id, ...recordOf(drafts) } as JsonObject };
}

/** Switches to the other mode; a problem if the input is invalid. */
export function switchMode(form: RecordForm, idKey: string, was: JsonObject | undefined): RecordForm | string {
  const read = readForm(form, idKey, was);
  if (read.kind === "problem") return read.problem;
  return formOf(read.value, idKey, form.mode === "json" ? "fields" : "json");
}

function readText(text: string, idKey: string, was: JsonObject | undefined): FormResult {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    return { kind: "problem", problem: `This is not valid JSON: ${(thrown as Error).message}` };
  }
  if (!isJsonObject(value)) return { kind: "problem", problem: "A record must be a JSON object." };
  if (was && Object.hasOwn(was, idKey) && !isSameJson(value[idKey], was[idKey])) {
    return { kind: "problem", problem: `The ${idKey} of a record cannot be changed. Create another one instead.` };
  }
  return { kind: "record", value };
}

function kindFor(types: Field["types"]): FieldKind {
  const [first] = types.filter((type) => type !== "null");
  if (first === "number" || first === "boolean") return first;
  return first === "object" || first === "array" ? "json" : "text";
}
