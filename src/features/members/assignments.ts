import { StandinError } from "../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject, setField } from "../../base/json/json.ts";
import { didYouMean } from "../../base/nearest.ts";
import { isSame } from "../../query/formula/operations.ts";
import { type Formula, type FormulaRow, parseFormula } from "../../query/formula/parse-formula.ts";
import { FormulaProblem } from "../../query/formula/read-tokens.ts";
import { type Path, parsePath, valueAt } from "../../query/path.ts";

/** A field, and the formula of its new value. */
export interface Assignment {
  readonly field: string;
  readonly path: Path;
  readonly formula: Formula;
}

const MAX_FIELDS = 100;

/** Reads `{ "price": "round(price * 1.1, 2)" }`. */
export function readAssignments(set: Json | undefined, idKey: string): Assignment[] {
  const entries = isJsonObject(set) ? Object.entries(set) : [];
  if (entries.length === 0 || entries.length > MAX_FIELDS) {
    throw new StandinError(
      "EXPRESSION_INVALID",
      `"set" must name 1 to ${MAX_FIELDS} fields with their expressions, such as { "price": "round(price * 1.1, 2)" }.`,
    );
  }
  return entries.map(([field, text]) => {
    if (typeof text !== "string") {
      throw invalid(field, undefined, `the expression must be a text, such as "price * 2" or "'sold'"`);
    }
    if (field === idKey) throw invalid(field, undefined, "an id never changes");
    if (field.trim() === "") throw invalid(field, undefined, "a field needs a name");
    return asInvalid(field, () => ({ field, path: parsePath(field), formula: parseFormula(text) }));
  });
}

/** The error of a field that an expression names and no record has. */
export function unknownIn(
  { field }: Assignment,
  name: string,
  { position, known }: { position: number; known: string[] },
) {
  return invalid(field, position, `no record has a field ${JSON.stringify(name)}.${didYouMean(name, known)}`);
}

/** The record with the computed value; the same one if nothing would change. */
export function assigned(record: JsonObject, { path, formula }: Assignment, row: FormulaRow): JsonObject {
  const value = formula.compute(row);
  const old = valueAt(row.record, path);
  return value === undefined || (old !== undefined && isSame(old, value)) ? record : withValue(record, path, value);
}

/** Runs a step for a field; says of a problem which field it is for. */
export function asInvalid<T>(field: string, step: () => T, place: () => string = () => ""): T {
  try {
    return step();
  } catch (thrown) {
    throw thrown instanceof FormulaProblem ? invalid(field, thrown.position, thrown.message + place()) : thrown;
  }
}

function invalid(field: string, position: number | undefined, reason: string): StandinError {
  const at = position === undefined ? "" : ` at position ${position}`;
  return new StandinError(
    "EXPRESSION_INVALID",
    `The expression of ${JSON.stringify(field)}${at}: ${reason}${/[.?]$/.test(reason) ? "" : "."}`,
    {},
    { field, ...(position !== undefined && { position }) },
  );
}

function withValue(record: JsonObject, { text, segments }: Path, value: Json): JsonObject {
  const isOwn = segments.length === 1 || Object.hasOwn(record, text);
  return within(record, isOwn ? [text] : segments, value) as JsonObject;
}

/** A copy of an object or list with a value deep inside. Objects on the way are made where there are none. */
function within(holder: Json | undefined, [name = "", ...further]: readonly string[], value: Json): Json {
  const inner = (old: Json | undefined): Json => (further.length === 0 ? value : within(old, further, value));
  if (Array.isArray(holder)) {
    const at = Number(name);
    if (!(at in holder)) throw new FormulaProblem(0, `a list has no element ${JSON.stringify(name)}`);
    return holder.with(at, inner(holder[at]));
  }
  const made = holder ?? {};
  if (!isJsonObject(made))
    throw new FormulaProblem(0, `${JSON.stringify(name)} is to be set in a value that is no object`);
  const copy = { ...made };
  setField(copy, name, inner(Object.hasOwn(made, name) ? made[name] : undefined));
  return copy;
}
