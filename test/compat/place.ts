import { isJsonObject, type Json, type JsonObject } from "../../src/base/json/json.ts";
import type { Question } from "./question.ts";

/** The target of a path, read from the database alone. */
export type Place =
  | { readonly kind: "collection"; readonly name: string }
  | { readonly kind: "record"; readonly name: string; readonly id: string }
  | { readonly kind: "nested"; readonly parent: string; readonly id: string; readonly name: string }
  | { readonly kind: "singleton"; readonly name: string }
  | { readonly kind: "database" }
  | { readonly kind: "built-in"; readonly name: string }
  | { readonly kind: "nowhere" }
  | { readonly kind: "malformed" };

/** Routes that 0.17 does not have, or fills otherwise. */
const BUILT_IN = ["", "__rules", "stats", "health-check"];
const NOWHERE: Place = { kind: "nowhere" };

export function placeOf({ path }: Question, data: JsonObject): Place {
  const segments = segmentsOf(path);
  if (!segments) return { kind: "malformed" };
  const [first = "", id, child, ...rest] = segments;
  if (rest.length > 0) return NOWHERE;
  if (id === undefined && first === "db") return { kind: "database" };
  const name = memberOf(data, first);
  if (name === undefined)
    return id === undefined && BUILT_IN.includes(first) ? { kind: "built-in", name: first } : NOWHERE;
  if (isJsonObject(data[name])) return id === undefined ? { kind: "singleton", name } : NOWHERE;
  if (id === undefined) return { kind: "collection", name };
  if (child === undefined) return { kind: "record", name, id };
  const childName = memberOf(data, child);
  return childName !== undefined && Array.isArray(data[childName])
    ? { kind: "nested", parent: name, id, name: childName }
    : NOWHERE;
}

/** The methods a place offers beside HEAD and OPTIONS. */
export function methodsOf(place: Place): readonly string[] {
  switch (place.kind) {
    case "collection":
    case "nested":
      return ["GET", "POST"];
    case "record":
      return ["GET", "PUT", "PATCH", "DELETE"];
    case "singleton":
      return ["GET", "POST", "PUT", "PATCH"];
    default:
      return ["GET"];
  }
}

/** Whether the question asks for a list. */
export function isList(asked: Question, data: JsonObject): boolean {
  const { kind } = placeOf(asked, data);
  return asked.method === "GET" && (kind === "collection" || kind === "nested");
}

/** The member of the database that a question is about. */
export function nameAt(asked: Question, data: JsonObject): string | undefined {
  const place = placeOf(asked, data);
  return "name" in place ? place.name : undefined;
}

/** Whether the question may change what it is about. */
export function isWritten(asked: Question, data: JsonObject): boolean {
  const place = placeOf(asked, data);
  return asked.method !== "GET" && place.kind !== "nowhere" && methodsOf(place).includes(asked.method);
}

/** The path that stands for a place in data, each segment escaped; undefined for what is not in them. */
export function plainPath(place: Place): string | undefined {
  const segments = (...names: string[]): string => names.map((name) => `/${encodeURIComponent(name)}`).join("");
  switch (place.kind) {
    case "collection":
    case "singleton":
      return segments(place.name);
    case "record":
      return segments(place.name, place.id);
    case "nested":
      return segments(place.parent, place.id, place.name);
    default:
      return undefined;
  }
}

/** The records of the collection that a place is in; none where it is in no collection. */
export function recordsAt(place: Place, data: JsonObject): JsonObject[] {
  const member = "name" in place ? data[place.name] : undefined;
  return Array.isArray(member) ? member.filter(isJsonObject) : [];
}

/** The record with this id, ids compared as text. */
export function recordWith(records: readonly JsonObject[], id: string): JsonObject | undefined {
  return records.find((record) => isId(record.id) && String(record.id) === id);
}

export function isId(value: Json | undefined): value is string | number {
  return typeof value === "number" || (typeof value === "string" && value !== "");
}

/** The segments of a path, decoded; undefined when one cannot be. */
export function segmentsOf(path: string): string[] | undefined {
  try {
    return path.replace(/^\//, "").replace(/\/$/, "").split("/").map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

function memberOf(data: JsonObject, given: string): string | undefined {
  const names = Object.keys(data).filter((name) => name !== "$schema");
  return names.find((name) => name === given) ?? names.find((name) => name.toLowerCase() === given.toLowerCase());
}
