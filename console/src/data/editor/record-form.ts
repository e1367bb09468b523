import { isJsonObject, isSameJson, type JsonObject } from "../../api/json.ts";
import type { Field, RuledField } from "../../api/overview.ts";
import { fieldOf, type Violation } from "../../api/violation.ts";
import {
  draftOf,
  draftsOf,
  type FieldDraft,
  type FormProblem,
  isBlank,
  kindFor,
  problemIn,
  recordOf,
} from "./field-drafts.ts";

/**
 * The state of a record's form: fields, or the JSON text. One of the two is edited at a time, and its input is kept as
 * typed.
 */
export type RecordForm =
  | { readonly mode: "fields"; readonly drafts: readonly FieldDraft[] }
  | { readonly mode: "json"; readonly text: string };

export type FormResult =
  | { readonly kind: "record"; readonly value: JsonObject }
  | ({ readonly kind: "problem" } & FormProblem);

/** The form of a record: its fields, then those that the rules know and it does not have. */
export function formOf(
  record: JsonObject,
  idKey: string,
  mode: RecordForm["mode"] = "fields",
  ruled: readonly RuledField[] = [],
): RecordForm {
  if (mode === "json") return { mode, text: JSON.stringify(record, null, 2) };
  const spare = ruled
    .filter(({ name }) => name !== idKey && !Object.hasOwn(record, name))
    .map(({ name, type = [] }) => ({ name, kind: kindFor(type), text: "", isSpare: true }));
  return { mode, drafts: [...draftsOf(record, idKey), ...spare] };
}

/**
 * The form of a record to be: the fields that its neighbours have and those that the rules know, still empty, without those
 * the server fills in.
 */
export function newForm(fields: readonly Field[], idKey: string, ruled: readonly RuledField[] = []): RecordForm {
  const types = new Map<string, readonly string[]>(fields.map((field) => [field.name, field.types]));
  for (const { name, type } of ruled) types.set(name, type ?? types.get(name) ?? []);
  for (const name of [idKey, ...fields.flatMap((field) => (field.isKept ? [field.name] : []))]) types.delete(name);
  return { mode: "fields", drafts: [...types].map(([name, list]) => ({ name, kind: kindFor(list), text: "" })) };
}

/** A form with some fields filled in. */
export function withValues(form: RecordForm, values: JsonObject = {}): RecordForm {
  if (form.mode === "json") return form;
  const filled = Object.entries(values).map(([name, value]) => draftOf(name, value));
  const known = form.drafts.map((draft) => filled.find(({ name }) => name === draft.name) ?? draft);
  return { mode: "fields", drafts: [...known, ...filled.filter((draft) => !known.includes(draft))] };
}

/** Reads the form: the record, or the problem with it. Empty fields that the record does not have are omitted. */
export function readForm(form: RecordForm, idKey: string, was: JsonObject | undefined): FormResult {
  if (form.mode === "json") return readText(form.text, idKey, was);
  const drafts = form.drafts.filter((draft) => !((!was || draft.isSpare) && isBlank(draft)));
  const problem = problemIn(drafts);
  if (problem) return { kind: "problem", ...problem };
  const id = was && Object.hasOwn(was, idKey) ? { [idKey]: was[idKey] } : {};
  return { kind: "record", value: { ...id, ...recordOf(drafts) } as JsonObject };
}

/** Violations in the order of the fields; those that have none come last. */
export function inFormOrder(violations: readonly Violation[], form: RecordForm): readonly Violation[] {
  if (form.mode === "json") return violations;
  const places = new Map<string | undefined, number>(form.drafts.map(({ name }, at) => [name, at]));
  const placeOf = (violation: Violation): number => places.get(fieldOf(violation)) ?? places.size;
  return violations.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** Switches to the other mode; a problem if the input is invalid. `untouched` is the form that the person began with. */
export function switchMode(
  form: RecordForm,
  idKey: string,
  was: JsonObject | undefined,
  { ruled = [], untouched }: { ruled?: readonly RuledField[]; untouched?: RecordForm } = {},
): RecordForm | FormProblem {
  const read = readForm(form, idKey, was);
  if (read.kind === "problem") return read;
  if (was || form.mode === "fields") return formOf(read.value, idKey, form.mode === "json" ? "fields" : "json", ruled);
  return { mode: "fields", drafts: newDrafts(read.value, untouched?.mode === "fields" ? untouched.drafts : []) };
}

/** The fields of a record to be, with those that are still empty; an id that it was given is one of them. */
function newDrafts(record: JsonObject, empty: readonly FieldDraft[]): FieldDraft[] {
  const rest = new Map(Object.entries(record));
  const drafts = empty.map((draft) => {
    const value = rest.get(draft.name);
    rest.delete(draft.name);
    return value === undefined ? draft : draftOf(draft.name, value);
  });
  return [...drafts, ...[...rest].map(([name, value]) => ({ ...draftOf(name, value), isAdded: true }))];
}

function readText(text: string, idKey: string, was: JsonObject | undefined): FormResult {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    return problem(`This is not valid JSON: ${(thrown as Error).message}`);
  }
  if (!isJsonObject(value)) return problem("A record must be a JSON object.");
  if (was && Object.hasOwn(was, idKey) && !isSameJson(value[idKey], was[idKey])) {
    return problem(`The ${idKey} of a record cannot be changed. Create another one instead.`);
  }
  return { kind: "record", value };
}

function problem(words: string): FormResult {
  return { kind: "problem", problem: words, violations: [] };
}
