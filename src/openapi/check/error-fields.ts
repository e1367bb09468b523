import type { Json, JsonObject } from "../../base/json/json.ts";
import { pointerSteps } from "../../schema/pointer.ts";
import { namedLike } from "./named-like.ts";
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
  /** The field at that place, as requests name it: `owner.name`, or `owner[name]` in forms. */
  readonly field?: string | undefined;
  /** The path of the operation, for an error of the whole request. */
  readonly path?: string;
  /** Whether the body is a problem of RFC 9457. */
  readonly isProblem?: boolean | undefined;
  /** The single problems, for errors that have several. */
  readonly errors: readonly ErrorFacts[];
  /** Whether it is one of several, which has none of its own. */
  readonly isOne?: boolean;
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
const TITLES = new Set(["title", "error", "summary", "statustext"]);
const CODES = new Set(["code", "errorcode", "errcode", "key", "reasoncode", "rule"]);
const TYPES = new Set(["type", "kind", "category", "errortype", "errorcategory"]);
const ADDRESSES = new Set(["path", "instance", "uri", "url"]);
const STATUSES = new Set(["status", "statuscode", "httpstatus", "httpcode", "httpstatuscode"]);
const PLACES = new Set(["field", "path", "pointer", "location", "property", "param", "parameter", "source", "loc"]);
/** Objects that hold the error, or a part of it. */
const HOLDERS = new Set([
  "error",
  "errors",
  "odataerror",
  "fault",
  "problem",
  "exception",
  "meta",
  "details",
  "source",
]);
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

/** Whether an object of this name holds the error, or a part of it. */
export function isHolder(name: string): boolean {
  return HOLDERS.has(plainKey(name));
}

/** `developer_message` is a message, too. */
function isMessage(key: string): boolean {
  return MESSAGES.has(key) || key.endsWith("message");
}

function plainKey(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, "");
}

/** The fields of a shape that an error can be told in, by their names. */
export function* fillingsFor(shape: TextShape, error: ErrorFacts, path: readonly string[] = []): Generator<Filling> {
  const keys = [...shape.properties.keys()].map(plainKey);
  // Where nothing else tells what to change, the only text does.
  const isOnlyText = !keys.some((key) => key !== "error" && (isMessage(key) || LISTS.has(key)));
  for (const name of shape.properties.keys()) {
    const inner = shape.properties.get(name)!;
    const here = [...path, name];
    const key = plainKey(name);
    if (isObject(inner)) {
      // OData has the text in `{ "message": { "lang": "en", "value": "..." } }`.
      if (isMessage(key) && inner.properties.has("value")) yield { path: [...here, "value"], values: [error.message] };
      const isByField = LISTS.has(key) && (inner.properties.size === 0 || namesFields(inner));
      const byField = isByField ? problemsByField(inner, error) : undefined;
      if (byField) yield { path: here, values: [byField] };
      else if (HOLDERS.has(key) && path.length < MAX_DEPTH) yield* fillingsFor(inner, error, here);
    } else {
      const lists = listsFor({ key, isInside: LISTS.has(plainKey(path.at(-1) ?? "")) }, inner, error);
      const texts =
        isOnlyText && key === "error" && inner.types.has("string") ? [error.message] : valuesFor(key, inner, error);
      // A field that may be a list or a text is a list for single problems.
      const values = error.errors.length > 0 ? [...lists, ...texts] : [...texts, ...lists];
      if (values.length > 0) yield { path: here, values };
    }
  }
}

/** Whether a type or code of errors is a value such as `invalid_request_error`. */
export function namesBadRequests(shape: TextShape, depth = 0): boolean {
  return [...shape.properties.keys()].some((name) => {
    const inner = shape.properties.get(name)!;
    if (isObject(inner)) return isHolder(name) && depth < MAX_DEPTH && namesBadRequests(inner, depth + 1);
    return inner.named.some((one) => /^(?:invalid|bad)[_\s-]?request/i.test(String(one)));
  });
}

/** `isInside`: of an object of problems, as in `{ "errors": { "body": ["is empty"] } }`. */
function listsFor(
  { key, isInside }: { readonly key: string; readonly isInside: boolean },
  { types, items }: TextShape,
  error: ErrorFacts,
): Json[] {
  if (!types.has("array")) return [];
  if (PLACES.has(key) && error.pointer !== undefined) return [stepsTo(error.pointer, items)];
  // `{ "message": "...", "details": [{ "message": "...", "details": [...] }] }`
  if (error.isOne) return [];
  const list = LISTS.has(key) || (isInside && items?.types.has("string")) ? problemList(items, error) : undefined;
  return list ? [list] : [];
}

/** FastAPI writes `["body", "tags", 0]`. */
function stepsTo(pointer: string, items: TextShape | undefined): Json[] {
  const isCounted = items?.types.has("integer") === true;
  return pointerSteps(pointer).map((step) => (isCounted && /^\d+$/.test(step) ? Number(step) : step));
}

/** Whether an object has a list of texts for each field: `{ "name": ["is required"] }`. */
export function namesFields({ properties }: TextShape): boolean {
  const names = [...properties.keys()];
  return (
    names.length > 0 &&
    names.every((name) => {
      const { types, items } = properties.get(name)!;
      return types.has("array") && types.size === 1 && items?.types.has("string") && !isOfWhole(plainKey(name));
    })
  );
}

/** Whether a list is one of all problems. */
function isOfWhole(key: string): boolean {
  return key === "body" || key === "base" || LISTS.has(key) || MESSAGES.has(key);
}

/** ASP.NET and Laravel write `{ "name": ["is required"] }`, inside `errors`; others so in the body itself. */
export function problemsByField(shape: TextShape, { errors }: ErrorFacts): JsonObject | undefined {
  const found = new Map<string, string[]>();
  for (const { field = "", message } of errors) {
    const last = field.slice(field.lastIndexOf(".") + 1);
    const name = !shape.properties.has(field) && shape.properties.has(last) ? last : field;
    found.set(name, [...(found.get(name) ?? []), message]);
  }
  const isList = shape.others === undefined || shape.others.types.has("array");
  const fields = [...found].map(([name, texts]): [string, Json] => [name, isList ? texts : texts.join("; ")]);
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

/** The single problems, or the error itself where there are none; undefined where the elements are of another kind. */
export function problemList(items: TextShape | undefined, error: ErrorFacts): Json[] | undefined {
  const errors = error.errors.length > 0 ? error.errors : [error];
  if (!items || items.types.has("string")) return errors.map(sentence);
  if (!isObject(items)) return undefined;
  const isHeld = (name: string): boolean => {
    const inner = items.properties.get(name);
    return inner !== undefined && isHolder(name) && isObject(inner);
  };
  const hasPlace = [...items.properties.keys()].some((name) => PLACES.has(plainKey(name)) || isHeld(name));
  const list = errors.map((problem) => {
    const message = hasPlace ? problem.message : sentence(problem);
    const one = { ...problem, message, isOne: true };
    const element: JsonObject = {};
    for (const { path, values } of fillingsFor(items, one)) {
      const [name, ...below] = path;
      const [value] = values;
      if (name !== undefined && below.length === 0 && value !== undefined) element[name] = value;
    }
    return element;
  });
  return list.every((element) => Object.keys(element).length > 0) ? list : undefined;
}

function valuesFor(key: string, { types, named }: TextShape, error: ErrorFacts): Json[] {
  if (named.length > 0 && (TYPES.has(key) || CODES.has(key) || TITLES.has(key))) return namedLike(named, error.status);
  const isText = types.size === 0 || types.has("string");
  const isNumber = types.has("integer") || types.has("number");
  if (isMessage(key)) return isText ? [error.message] : [];
  if (STATUSES.has(key)) return isNumber ? [error.status] : isText ? [String(error.status), "error", "fail"] : [];
  if (CODES.has(key)) return isNumber ? [error.status] : isText ? [error.code, String(error.status)] : [];
  if (TYPES.has(key)) return isText ? [error.isProblem ? "about:blank" : typeOf(error)] : [];
  if (ADDRESSES.has(key) && error.path !== undefined) return isText ? [error.path] : [];
  if (PLACES.has(key))
    return isText && error.pointer !== undefined ? [error.field ?? error.pointer, error.pointer] : [];
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

/** `/body/owner/name` is the field `owner.name`, or `owner[name]` in a form. */
export function fieldAt(pointer: string, isForm: boolean): string {
  const steps = pointerSteps(pointer);
  const [first = "", ...rest] = steps.length > 1 ? steps.slice(1) : steps;
  return isForm ? `${first}${rest.map((step) => `[${step}]`).join("")}` : [first, ...rest].join(".");
}

/** A rule by the name that validators of Python give it; an error by its code. */
function typeOf({ code }: ErrorFacts): string {
  return code === "required" ? "missing" : code.toLowerCase();
}
