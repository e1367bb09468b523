import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import { valueAtPointer } from "../../../schema/pointer.ts";
import { isKeyValue } from "./seen.ts";

/** Names of ids that leave no doubt. */
export const SURE_IDS: readonly string[] = ["id", "_id", "uuid", "guid", "uid", "sid", "@id"];
/** Lists that stand beside the records. */
const ASIDE = /^(?:errors?|warnings|links|_links|messages|included|facets|aggregations|filters|meta)$/i;
/** Objects that hold the record of an element, and fields beside them. */
const HOLDERS: ReadonlySet<string> = new Set(["node", "data", "item", "record", "resource"]);
const BESIDE: ReadonlySet<string> = new Set([
  "cursor",
  "uri",
  "url",
  "href",
  "links",
  "_links",
  "meta",
  "etag",
  "type",
]);
const MAX_DEPTH = 2;

/** A list in a body. */
export interface ListSpot {
  /** Property names that lead to it. */
  readonly at: readonly string[];
  readonly rows: readonly JsonObject[];
}

/** The list of a body: an array of objects, or the only one in an object that is no record itself. */
export function findList(body: Json | undefined): ListSpot | undefined {
  if (Array.isArray(body)) return body.every(isJsonObject) ? { at: [], rows: body.map(recordIn) } : undefined;
  if (!isJsonObject(body) || SURE_IDS.some((name) => isKeyValue(body[name]))) return undefined;
  const beside = arraysIn(body, []);
  const found = beside.length > 0 ? beside : messagesIn(body);
  const filled = found.filter(({ rows }) => rows.length > 0);
  const [first, second] = filled.length > 0 ? filled : found;
  return second ? undefined : first;
}

/** Messages may be the records, where there is no other list. */
function messagesIn({ messages }: JsonObject): ListSpot[] {
  const isList = Array.isArray(messages) && messages.length > 0 && messages.every(isJsonObject);
  return isList ? [{ at: ["messages"], rows: messages.map(recordIn) }] : [];
}

/** The place of a list of ids: an array of texts or numbers, or the only one in an object. */
export function findIds(body: Json | undefined): readonly string[] | undefined {
  const areIds = (value: Json | undefined): boolean => Array.isArray(value) && value.every(isKeyValue);
  if (areIds(body)) return [];
  if (!isJsonObject(body)) return undefined;
  const [name, ...more] = Object.keys(body).filter((key) => areIds(body[key]) && !ASIDE.test(key));
  return name === undefined || more.length > 0 ? undefined : [name];
}

/** The ids of a list whose place is known. */
export function idsAt(body: Json | undefined, at: readonly string[]): readonly (string | number)[] {
  const value = body === undefined ? undefined : valueAtPointer(body, at);
  return Array.isArray(value) ? value.filter(isKeyValue) : [];
}

function arraysIn(object: JsonObject, path: readonly string[]): ListSpot[] {
  return Object.entries(object).flatMap(([name, value]): ListSpot[] => {
    if (ASIDE.test(name)) return [];
    const at = [...path, name];
    if (Array.isArray(value)) return value.every(isJsonObject) ? [{ at, rows: value.map(recordIn) }] : [];
    return isJsonObject(value) && path.length < MAX_DEPTH ? arraysIn(value, at) : [];
  });
}

/** The record of an element, which may stand in an object around it: `{ "cursor", "node": { ... } }`. */
function recordIn(element: JsonObject): JsonObject {
  const [name, ...more] = Object.keys(element).filter((key) => !BESIDE.has(key));
  if (name === undefined || more.length > 0 || !HOLDERS.has(name)) return element;
  const inner = element[name];
  return isJsonObject(inner) ? inner : element;
}

/** The records of a list whose place is known. */
export function rowsAt(body: Json | undefined, at: readonly string[]): readonly JsonObject[] {
  const value = body === undefined ? undefined : valueAtPointer(body, at);
  return Array.isArray(value) ? value.filter(isJsonObject).map(recordIn) : [];
}

/** The record of a body whose place is known. */
export function recordInBody(body: Json | undefined, at: readonly string[]): JsonObject | undefined {
  const value = body === undefined ? undefined : valueAtPointer(body, at);
  return isJsonObject(value) ? value : onlyIn(value);
}

/** The record in a list of one, which some APIs send for a single record. */
export function onlyIn(value: Json | undefined): JsonObject | undefined {
  const [only] = Array.isArray(value) && value.length === 1 ? value : [];
  return isJsonObject(only) ? only : undefined;
}

/** A field of an object in a body. */
export interface FieldSpot {
  readonly at: readonly string[];
  readonly field: string;
}

/** The fields of a body, and of the objects in it, that have a value. The outermost come first. */
export function fieldsWith(body: Json | undefined, text: string): FieldSpot[] {
  const found: FieldSpot[] = [];
  const whole = isJsonObject(body) ? body : onlyIn(body);
  let level: { readonly at: readonly string[]; readonly object: JsonObject }[] = whole
    ? [{ at: [], object: whole }]
    : [];
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    for (const { at, object } of level) {
      for (const [field, value] of Object.entries(object)) {
        if (isKeyValue(value) && String(value) === text) found.push({ at, field });
      }
    }
    level = level.flatMap(({ at, object }) =>
      Object.entries(object).flatMap(([name, value]) =>
        isJsonObject(value) && !ASIDE.test(name) ? [{ at: [...at, name], object: value }] : [],
      ),
    );
  }
  return found;
}

/** Whether two records share at least half of the fields of the smaller one. */
export function areAlike(one: JsonObject | undefined, other: JsonObject | undefined): boolean {
  const [small = [], large = []] = [Object.keys(one ?? {}), Object.keys(other ?? {})].sort(
    (a, b) => a.length - b.length,
  );
  return small.length > 0 && small.filter((name) => large.includes(name)).length * 2 >= small.length;
}

/** The same text for values of the same structure. */
export function shapeText(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${[...new Set(value.map(shapeText))].sort().join("|")}]`;
  if (!isJsonObject(value)) return value === null ? "null" : typeof value;
  const fields = Object.keys(value).sort();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${shapeText(value[name])}`).join(",")}}`;
}
