import type { Json, JsonObject } from "../../base/json/json.ts";
import { pointerSteps } from "../../schema/pointer.ts";
import type { TextShape } from "./text-shape.ts";

/** An error as the fields of a body tell it. */
export interface ErrorFacts {
  readonly status: number;
  /** "Record not found". */
  readonly title: string;
  readonly message: string;
  readonly code: string;
  /** The place of the problem, a JSON pointer; undefined for errors of the whole request. */
  readonly pointer?: string | undefined;
  /** The single problems, for errors that have several. */
  readonly errors: readonly ErrorFacts[];
}

/** One field that can be filled in, with the values that it may have, the best first. */
export interface Filling {
  readonly path: readonly string[];
  readonly values: readonly Json[];
}

const MESSAGES = new Set([
  "message",
  "msg",
  "detail",
  "details",
  "description",
  "errordescription",
  "errormessage",
  "reason",
  "text",
  "info",
]);
const TITLES = new Set(["title", "error", "summary", "errortype", "statustext"]);
const CODES = new Set(["code", "errorcode", "errcode", "key", "reasoncode", "rule"]);
const STATUSES = new Set(["status", "statuscode", "httpstatus", "httpcode", "httpstatuscode"]);
const PLACES = new Set(["field", "path", "pointer", "location", "property", "param", "parameter", "source", "loc"]);
/** Objects that hold the error, or a part of it. */
const HOLDERS = new Set(["error", "errors", "fault", "problem", "exception", "meta", "details", "source"]);
const LISTS = new Set([
  "errors",
  "error",
  "violations",
  "details",
  "messages",
  "problems",
  "issues",
  "fields",
  "detail",
]);
const MAX_DEPTH = 3;

/** The fields of a shape that an error can be told in, by their names. */
export function* fillingsFor(shape: TextShape, error: ErrorFacts, path: readonly string[] = []): Generator<Filling> {
  for (const name of shape.properties.keys()) {
    const inner = shape.properties.get(name)!;
    const here = [...path, name];
    const key = name.toLowerCase().replace(/[^a-z]/g, "");
    if (isObject(inner)) {
      if (HOLDERS.has(key) && path.length < MAX_DEPTH) yield* fillingsFor(inner, error, here);
    } else if (inner.types.has("array")) {
      const list = LISTS.has(key) ? problemList(inner.items, error) : undefined;
      if (list) yield { path: here, values: [list] };
    } else {
      const values = valuesFor(key, inner, error);
      if (values.length > 0) yield { path: here, values };
    }
  }
}

/** The single problems, or the error itself where there are none; undefined where the elements are of another kind. */
export function problemList(items: TextShape | undefined, error: ErrorFacts): Json[] | undefined {
  const errors = error.errors.length > 0 ? error.errors : [error];
  if (!items || items.types.has("string")) return errors.map(sentence);
  if (!isObject(items)) return undefined;
  const list = errors.map((one) => {
    const element: JsonObject = {};
    for (const { path, values } of fillingsFor(items, one)) if (path.length === 1) element[path[0]!] = values[0]!;
    return element;
  });
  return list.every((element) => Object.keys(element).length > 0) ? list : undefined;
}

function valuesFor(key: string, { types }: TextShape, error: ErrorFacts): Json[] {
  const isText = types.size === 0 || types.has("string");
  const isNumber = types.has("integer") || types.has("number");
  if (MESSAGES.has(key)) return isText ? [error.message] : [];
  if (STATUSES.has(key)) return isNumber ? [error.status] : isText ? [String(error.status), "error", "fail"] : [];
  if (CODES.has(key)) return isNumber ? [error.status] : isText ? [error.code, String(error.status)] : [];
  if (PLACES.has(key)) return isText && error.pointer !== undefined ? [fieldName(error.pointer), error.pointer] : [];
  if (key === "success" || key === "ok") return types.has("boolean") ? [false] : [];
  if (!TITLES.has(key)) return [];
  return isText ? [error.title, error.message] : types.has("boolean") ? [true] : [];
}

function isObject({ types, properties }: TextShape): boolean {
  return properties.size > 0 || (types.has("object") && !types.has("array"));
}

function sentence({ pointer, message }: ErrorFacts): string {
  return pointer === undefined ? message : `${pointer} ${message}`;
}

/** `/body/owner/name` is the field `owner.name`. */
function fieldName(pointer: string): string {
  const steps = pointerSteps(pointer);
  return (steps.length > 1 ? steps.slice(1) : steps).join(".");
}
