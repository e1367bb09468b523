import type { ErrorObject } from "ajv/dist/2020.js";
import type { Json, JsonObject } from "../../base/json/json.ts";
import { pointerSteps, valueAtPointer, within } from "../pointer.ts";
import { FORMATS } from "./formats.ts";
import { beginPatterns, TooCostly } from "./pattern.ts";

/** One rule that a record breaks. */
export interface Violation {
  /** JSON pointer to the value, RFC 6901; for a missing field, to where it would be. */
  readonly pointer: string;
  /** The keyword: `minimum`, `required`, `x-unique`. */
  readonly rule: string;
  /** Follows the name of the field: "must be at least 0". */
  readonly message: string;
  /** The value that breaks the rule. Absent for a missing field, and for large values. */
  readonly given?: Json;
}

/** The most violations listed for one record. */
export const MAX_VIOLATIONS = 50;
/** The most characters of a value, and of an allowed value, in a violation. */
const MAX_SHOWN = 200;

/** The violations in the errors of the validator, each one once. */
function violationsFrom(errors: readonly ErrorObject[], record: Json): Violation[] {
  const found = new Map<string, Violation>();
  for (const error of errors) {
    // Those of a branch of `if` and of the name of a property are told by other errors.
    if (error.keyword === "if" || (error.propertyName !== undefined && error.keyword !== "propertyNames")) continue;
    const violation = violationFrom(error, record);
    const key = `${violation.pointer} ${violation.rule} ${violation.message}`;
    if (!found.has(key)) found.set(key, violation);
    if (found.size === MAX_VIOLATIONS) break;
  }
  return [...found.values()];
}

const NONE: readonly Violation[] = [];

/**
 * Judges a value by the errors that the validator finds in it. One with more values than `most`, or that takes too long, is
 * refused: it breaks no rule that could be named.
 */
export function judgeWithin(
  most: number,
  value: Json,
  errorsOf: (value: Json, count: number) => readonly ErrorObject[] | null | undefined,
): readonly Violation[] {
  const count = countValues(value, most);
  if (count > most) return [tooCostly(`has more than ${most} values, too many to be judged`)];
  try {
    beginPatterns();
    const errors = errorsOf(value, count);
    return errors && errors.length > 0 ? violationsFrom(errors, value) : NONE;
  } catch (thrown) {
    if (thrown instanceof TooCostly) return [tooCostly(thrown.message)];
    if (thrown instanceof RangeError) return [tooCostly("is nested too deeply to be judged")];
    throw thrown;
  }
}

function tooCostly(message: string): Violation {
  return { pointer: "", rule: "too-costly", message };
}

/** The field that is named by the error of the object which it belongs to. */
const NAMED_FIELD: Readonly<Record<string, string>> = {
  required: "missingProperty",
  dependentRequired: "missingProperty",
  additionalProperties: "additionalProperty",
  unevaluatedProperties: "unevaluatedProperty",
  propertyNames: "propertyName",
};

function violationFrom({ keyword, instancePath, params }: ErrorObject, record: Json): Violation {
  const named = NAMED_FIELD[keyword];
  const field = named === undefined ? undefined : ((params as Record<string, unknown>)[named] as string);
  const pointer = field === undefined ? instancePath : within(instancePath, field);
  const rule = keyword === "false schema" ? "false" : keyword;
  const message = (MESSAGES[keyword] ?? (() => `breaks the rule ${keyword}`))(params as Params);
  const given = shownValue(valueAtPointer(record, pointerSteps(pointer)));
  return given === undefined ? { pointer, rule, message } : { pointer, rule, message, given };
}

/** A value as violations show it: long texts are cut, large objects left out. */
export function shownValue(value: Json | undefined): Json | undefined {
  if (typeof value === "string") return value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}...` : value;
  if (typeof value !== "object" || value === null) return value;
  return isSmall(value, { left: MAX_SHOWN }) ? value : undefined;
}

function isSmall(value: Json, room: { left: number }): boolean {
  room.left -= typeof value === "string" ? value.length + 2 : 4;
  if (room.left < 0) return false;
  if (typeof value !== "object" || value === null) return true;
  for (const [key, inner] of Object.entries(value)) {
    room.left -= key.length;
    if (!isSmall(inner, room)) return false;
  }
  return true;
}

type Params = Readonly<Record<string, Json | undefined>>;

const MESSAGES: Readonly<Record<string, (params: Params) => string>> = {
  type: ({ type }) => `must be ${typeWords(type)}`,
  enum: ({ allowedValues }) => `must be one of ${listed(allowedValues as Json[])}`,
  const: ({ allowedValue }) => `must be ${text(allowedValue)}`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  exclusiveMinimum: ({ limit }) => `must be greater than ${limit}`,
  exclusiveMaximum: ({ limit }) => `must be less than ${limit}`,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${multipleOf}`,
  minLength: ({ limit }) => `must have at least ${counted(limit, "character")}`,
  maxLength: ({ limit }) => `must have at most ${counted(limit, "character")}`,
  pattern: ({ pattern }) => `must match the pattern ${pattern}`,
  format: ({ format }) => `must be ${FORMATS.get(format as string)?.words ?? format}`,
  minItems: ({ limit }) => `must have at least ${counted(limit, "element")}`,
  maxItems: ({ limit }) => `must have at most ${counted(limit, "element")}`,
  uniqueItems: ({ i, j }) => `must not have the same element twice; elements ${j} and ${i} are equal`,
  items: ({ limit }) => `must have at most ${counted(limit, "element")}`,
  contains: ({ minContains, maxContains }) => {
    const most = maxContains === undefined ? "" : ` and at most ${maxContains}`;
    return `must have at least ${minContains}${most} matching ${minContains === 1 && most === "" ? "element" : "elements"}`;
  },
  unevaluatedItems: ({ limit }) => `must have at most ${counted(limit, "element")}`,
  minProperties: ({ limit }) => `must have at least ${counted(limit, "field")}`,
  maxProperties: ({ limit }) => `must have at most ${counted(limit, "field")}`,
  required: () => "is required",
  dependentRequired: ({ property }) => `is required together with ${text(property)}`,
  additionalProperties: () => "is not an allowed field",
  unevaluatedProperties: () => "is not an allowed field",
  propertyNames: () => "does not have an allowed name",
  anyOf: () => "must match at least one of the allowed forms",
  oneOf: ({ passingSchemas }) =>
    Array.isArray(passingSchemas)
      ? `must match exactly one of the allowed forms, but matches numbers ${passingSchemas.map((at) => Number(at) + 1).join(" and ")}`
      : "must match exactly one of the allowed forms",
  not: () => "must not match the forbidden form",
  "false schema": () => "is not allowed",
};

function typeWords(type: Json | undefined): string {
  const words = (Array.isArray(type) ? type : String(type).split(",")).map(
    (name) => TYPE_WORDS[name as string] ?? name,
  );
  return words.length === 1 ? String(words[0]) : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  null: "null",
  boolean: "true or false",
  object: "an object",
  array: "an array",
  number: "a number",
  integer: "a whole number",
  string: "a string",
};

function counted(limit: Json | undefined, unit: string): string {
  return `${limit} ${unit}${limit === 1 ? "" : "s"}`;
}

function text(value: Json | undefined): string {
  const json = JSON.stringify(value);
  return json.length > MAX_SHOWN ? `${json.slice(0, MAX_SHOWN)}...` : json;
}

function listed(values: readonly Json[]): string {
  let list = "";
  for (const value of values) {
    if (list.length > MAX_SHOWN) return `${list}, ...`;
    list += `${list === "" ? "" : ", "}${text(value)}`;
  }
  return list;
}

/** Counts the values inside, up to a little more than the limit. */
function countValues(value: Json, limit: number): number {
  if (typeof value !== "object" || value === null) return 1;
  let count = 1;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && count <= limit; at++) count += countInner(value[at]!, limit - count);
    return count;
  }
  for (const key in value) {
    count += countInner((value as JsonObject)[key]!, limit - count);
    if (count > limit) return count;
  }
  return count;
}

/** The values of one that may have others inside. */
function countInner(value: Json, limit: number): number {
  return typeof value === "object" && value !== null ? countValues(value, limit) : 1;
}
