import pluralize from "pluralize";
import { isJsonObject, type Json, type JsonObject } from "../../src/base/json/json.ts";

/**
 * The orders of the contract where json-server cannot be asked, said a second time and as plainly as can be. Nothing here
 * is shared with the source, so that the two can disagree.
 */

export const SUFFIX = "_id";

/** `price_gte` -> the path and the operator; no operator asks for equality. */
export function splitFilter(name: string): { path: string; operator: string } {
  const [, path, operator] = /^(.*)_(gte|lte|ne|like)$/s.exec(name) ?? [];
  return path !== undefined && operator !== undefined ? { path, operator } : { path: name, operator: "eq" };
}

/** The one value at a path: a key of that very name, else step by step. */
export function valueAt(record: Json, path: string): Json | undefined {
  if (isJsonObject(record) && Object.hasOwn(record, path)) return record[path];
  let value: Json | undefined = record;
  for (const step of path.split(".")) value = value === undefined ? undefined : stepInto(value, step);
  return value;
}

/** Whether a path leads to something that every object, text or number has and none of them owns. */
export function isInherited(record: Json, path: string): boolean {
  if (valueAt(record, path) !== undefined) return false;
  let value: unknown = record;
  for (const step of path.split(".")) {
    value = value === undefined || value === null ? undefined : Object(value)[step];
  }
  return value !== undefined && value !== null;
}

/** Every value at a path that goes through arrays, and whether it went through one or ended in one. */
export function valuesAt(record: Json, path: string): { values: Json[]; isThroughArray: boolean } {
  const direct = valueAt(record, path);
  if (direct !== undefined) return { values: [direct], isThroughArray: Array.isArray(direct) };
  let values: Json[] = [record];
  for (const step of path.split(".")) values = values.flatMap((value) => stepsInto(value, step));
  return { values, isThroughArray: values.length > 0 };
}

function stepInto(value: Json, step: string): Json | undefined {
  if (value === null || (typeof value !== "object" && typeof value !== "string")) return undefined;
  return Object.hasOwn(Object(value), step) ? (Object(value) as Record<string, Json>)[step] : undefined;
}

function stepsInto(value: Json, step: string): Json[] {
  const direct = stepInto(value, step);
  if (direct !== undefined) return [direct];
  if (!Array.isArray(value)) return [];
  return value.filter((element) => typeof element === "object").flatMap((element) => stepsInto(element, step));
}

/** The texts of a value that a filter checks: an array counts as each of its elements and as its joined text. */
function faces(value: Json): (string | number | boolean)[] {
  if (value === null) return [];
  if (Array.isArray(value)) return [...value.flatMap(faces), String(value)];
  return [typeof value === "object" ? String(value) : value];
}

/** Whether a record stays in a list under one filter whose path may go through arrays. */
export function keeps(record: Json, name: string, given: readonly string[]): boolean {
  const { path, operator } = splitFilter(name);
  const looks = valuesAt(record, path).values.flatMap(faces);
  switch (operator) {
    case "gte":
      return looks.some((look) => given.some((bound) => look >= bound));
    case "lte":
      return looks.some((look) => given.some((bound) => look <= bound));
    case "ne":
      return looks.length > 0 && looks.every((look) => !given.includes(String(look)));
    case "like":
      return looks.some((look) => given.some((pattern) => new RegExp(pattern, "i").test(String(look))));
    default:
      return looks.some((look) => given.includes(String(look)));
  }
}

const KINDS = ["number", "string", "boolean", "object", "null", "undefined"];

/** numbers, text, booleans, everything else, null, missing. */
export function kindOf(value: Json | undefined): string {
  return value === null ? "null" : typeof value;
}

/** The order of any two values, ascending. */
export function compareValues(one: Json | undefined, other: Json | undefined): number {
  const difference = KINDS.indexOf(kindOf(one)) - KINDS.indexOf(kindOf(other));
  if (difference !== 0 || one === null || one === undefined) return difference;
  const [left, right] = typeof one === "object" ? [String(one), String(other)] : [one, other as typeof one];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The field by which children refer to a record of `collection`. */
export function keyTo(collection: string): string {
  return pluralize.singular(collection) + SUFFIX;
}

/** The collection in which the parent that `_expand` names is found. */
export function collectionOf(parent: string): string {
  return pluralize(parent);
}

/** A record with the children and parents asked for, ids compared as text. */
export function relate(
  record: JsonObject,
  collection: string,
  { embed, expand }: { embed: readonly string[]; expand: readonly string[] },
  data: JsonObject,
): JsonObject {
  const related = { ...record };
  for (const child of embed) {
    related[child] = listOf(data, child).filter((other) => isSameText(other[keyTo(collection)], record.id));
  }
  for (const parent of expand) {
    const key = record[parent + SUFFIX];
    const found = listOf(data, collectionOf(parent)).find((other) => isSameText(other.id, key));
    if (found) related[parent] = found;
  }
  return related;
}

export function listOf(data: JsonObject, name: string): JsonObject[] {
  const member = Object.hasOwn(data, name) ? data[name] : undefined;
  return Array.isArray(member) ? member.filter(isJsonObject) : [];
}

export function isSameText(one: Json | undefined, other: Json | undefined): boolean {
  return one !== undefined && one !== null && other !== undefined && other !== null && String(one) === String(other);
}

/** The id a new record gets; undefined where it is random because the ids are text. */
export function newId(records: readonly JsonObject[]): number | undefined {
  const ids = records.map((record) => record.id);
  const numbers = ids.filter((id) => typeof id === "number");
  if (numbers.length === 0 && ids.some((id) => typeof id === "string" && id !== "")) return undefined;
  const integers = numbers.filter(Number.isInteger);
  let id = (integers.length > 0 && Math.max(...integers) + 1) || 1;
  // A text that reads like the number has the id already.
  while (records.some((record) => isSameText(record.id, id))) id++;
  return id;
}

/** The ids of records created together: those they bring along, and new ones above all others (undefined: random). */
export function createdIds(
  before: readonly JsonObject[],
  bodies: readonly JsonObject[],
): (string | number | undefined)[] {
  const taken = [...before, ...bodies.filter(({ id }) => id)];
  return bodies.map(({ id }) => {
    if (id) return id as string | number;
    const next = newId(taken);
    if (next !== undefined) taken.push({ id: next });
    return next;
  });
}

/** `0`, `null` and `""` count as absent; else an id is a text or a number that JavaScript can count with. */
export function isUsableId(id: Json | undefined): boolean {
  if (id === undefined || id === null || typeof id === "string") return true;
  return typeof id === "number" && Math.abs(id) <= Number.MAX_SAFE_INTEGER;
}

/** An id from a path, in the type that ids of the parent collection have. */
export function keyFor(parents: readonly JsonObject[], id: string): string | number {
  const parent = parents.find((one) => isSameText(one.id, id));
  if (parent) return parent.id as string | number;
  const areTexts = parents.length > 0 && parents.every((one) => typeof one.id === "string");
  return areTexts || String(Number(id)) !== id ? id : Number(id);
}

/** Whether a window parameter is a number, or blank and so as good as absent. */
export function isNumberOrBlank(text: string): boolean {
  return text.trim() === "" || /^[+-]?\d+(\.\d*)?$/.test(text.trim());
}

/** Whether a pattern is one in the strict sense: no look-around, no back-references. */
export function isRegular(pattern: string): boolean {
  if (/\(\?<?[=!]|\\[1-9]|\\k</.test(pattern)) return false;
  try {
    new RegExp(pattern);
    return true;
  } catch {
    return false;
  }
}

/** `headquarter[lat]` -> `headquarter.lat`; `id[]` and `id[0]` are ways to repeat `id`. */
export function withoutBrackets(name: string): string {
  const dotted = name.replace(/\[\d*\]$/, "").replace(/\[([^\]]*)\]/g, ".$1");
  return name.startsWith("[") ? dotted.slice(1) : dotted;
}
