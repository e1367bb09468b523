import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type Json, type JsonObject } from "../../src/base/json/json.ts";
import type { Column, Key, Leaf, Outcome, Part, Question, Tree } from "./question.ts";

/**
 * The records a query must find, as directly as the rules can be written: no index, no plan, and no code of the query
 * language under test.
 */
export function consult(records: readonly JsonObject[], question: Question): Outcome {
  const { where, search, sort, part, fields, groups } = question;
  const found = records.filter((record) => where.every((tree) => holds(record, tree)) && mentions(record, search));
  const listed = groups ? rowsOf(found, groups) : found;
  const sorted = listed.toSorted((a, b) => compareBy(sort, a, b));
  const list = partOf(sorted, part);
  const selected = fields && list.map((one) => select(one, fields.names, fields.isDropping));
  return { total: sorted.length, list: selected ?? list };
}

/** Whether any of the records has a value, null included, at the path. */
export function isHeld(records: readonly Json[], path: string): boolean {
  return records.some((record) => valuesAt(record, path).length > 0);
}

function holds(record: JsonObject, tree: Tree): boolean {
  switch (tree.kind) {
    case "and":
      return tree.parts.every((part) => holds(record, part));
    case "or":
      return tree.parts.some((part) => holds(record, part));
    case "not":
      return !holds(record, tree.part);
    default:
      return isMet(record, tree) !== tree.isNegated;
  }
}

function isMet(record: JsonObject, { path, operator, values }: Leaf): boolean {
  const present = valuesAt(record, path).filter((value) => value !== null);
  const compared = present.flatMap((value) => leavesOf(value, true));
  const some = (tested: readonly Json[], test: (one: Json, value: string) => boolean): boolean =>
    tested.some((one) => values.some((value) => test(one, value)));
  const texts = present.flatMap(textsIn);
  const someText = (test: (one: string, value: string) => boolean): boolean =>
    texts.some((one) => values.some((value) => test(one.toLowerCase(), value.toLowerCase())));
  switch (operator) {
    case "eq":
    case "in":
      return some(compared, (one, value) => textOf(one) === value);
    case "ne":
      return present.length > 0 && !some(compared, (one, value) => textOf(one) === value);
    case "nin":
      return values.length === 0 || (present.length > 0 && !some(compared, (one, value) => textOf(one) === value));
    case "like":
      return some(compared, (one, value) => new RegExp(value, "i").test(textOf(one)));
    case "gte":
      return some(compared, (one, value) => (typeof one === "string" ? one >= value : Number(one) >= Number(value)));
    case "lte":
      return some(compared, (one, value) => (typeof one === "string" ? one <= value : Number(one) <= Number(value)));
    case "gt":
    case "lt": {
      const isRight = (one: Json, value: Json): boolean =>
        operator === "gt" ? (one as string) > (value as string) : (one as string) < (value as string);
      const uncombined = present.flatMap((value) => leavesOf(value, false));
      return some(uncombined, (one, value) => isRight(one, typeof one === "string" ? value : Number(value)));
    }
    case "contains":
      return someText((one, value) => one.includes(value));
    case "startsWith":
      return someText((one, value) => one.startsWith(value));
    case "endsWith":
      return someText((one, value) => one.endsWith(value));
    case "null":
      return values.includes(String(present.length === 0));
  }
}

/** The scalars in a value; an object is its text, and an array may add its joined text. */
function leavesOf(value: Json, hasJoined: boolean): Json[] {
  if (value === null) return [];
  if (!Array.isArray(value)) return [typeof value === "object" ? textOf(value) : value];
  const inner = value.flatMap((element) => leavesOf(element, hasJoined));
  return hasJoined ? [...inner, textOf(value)] : inner;
}

function textsIn(value: Json): string[] {
  return Array.isArray(value) ? value.flatMap(textsIn) : typeof value === "string" ? [value] : [];
}

function textOf(value: Json): string {
  if (value === null) return "";
  if (Array.isArray(value)) return value.map(textOf).join(",");
  return typeof value === "object" ? "[object Object]" : String(value);
}

/** All values at a path, also those in the elements of arrays. A field that is named like the whole path wins. */
export function valuesAt(record: Json, path: string): Json[] {
  const literal = own(record, path);
  return literal === undefined ? walk(record, namesOf(path), 0) : [literal];
}

function walk(value: Json, names: readonly string[], depth: number): Json[] {
  if (depth === names.length) return [value];
  const next = own(value, names[depth]!);
  if (next !== undefined) return walk(next, names, depth + 1);
  if (!Array.isArray(value)) return [];
  return value.flatMap((element) => (typeof element === "object" ? walk(element, names, depth) : []));
}

/** The one value at a path, which records are sorted and grouped by: not one in the elements of an array. */
export function valueAt(record: Json, path: string): Json | undefined {
  const step = (value: Json | undefined, name: string) => (value === undefined ? undefined : own(value, name));
  const literal = own(record, path);
  return literal === undefined ? namesOf(path).reduce<Json | undefined>(step, record) : literal;
}

const namesByPath = new Map<string, readonly string[]>();

function namesOf(path: string): readonly string[] {
  let names = namesByPath.get(path);
  if (!names) {
    names = path.replaceAll(/\[(\w+)\]/g, ".$1").split(".");
    namesByPath.set(path, names);
  }
  return names;
}

/** Texts have a length and characters, as in 0.17. */
function own(value: Json, name: string): Json | undefined {
  if (value === null || (typeof value !== "object" && typeof value !== "string")) return undefined;
  return Object.hasOwn(value as object, name) ? (value as JsonObject)[name] : undefined;
}

/** `q`: any value at any depth, but neither keys nor 0, false and "". */
function mentions(value: Json, search: string): boolean {
  if (search === "") return true;
  if (!value) return false;
  if (typeof value === "object") return Object.values(value).some((inner) => mentions(inner, search));
  return String(value).toLowerCase().includes(search.toLowerCase());
}

/** Numbers, texts, booleans, everything else by its text, null, missing. */
function compare(a: Json | undefined, b: Json | undefined): number {
  const rank = (value: Json | undefined): number =>
    value === undefined ? 5 : value === null ? 4 : ["number", "string", "boolean", "object"].indexOf(typeof value);
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (rank(a) > 3) return 0;
  const [one, other] = rank(a) === 3 ? [textOf(a as Json), textOf(b as Json)] : [a as string, b as string];
  return one < other ? -1 : one > other ? 1 : 0;
}

function compareBy(keys: readonly Key[], a: JsonObject, b: JsonObject): number {
  const differences = keys.map(
    ({ path, isDescending }) => compare(valueAt(a, path), valueAt(b, path)) * (isDescending ? -1 : 1),
  );
  return differences.find((difference) => difference !== 0) ?? 0;
}

/** A walk through all pages must give everything. An envelope has the last page where the given one is too high. */
function partOf<T>(list: readonly T[], part: Part | undefined): readonly T[] {
  if (!part || part.kind === "walk") return list;
  if (part.kind === "slice") return list.slice(part.start, part.end);
  const last = part.kind === "envelope" ? Math.max(1, Math.ceil(list.length / part.size)) : Number.POSITIVE_INFINITY;
  const page = Math.min(part.page, last);
  return list.slice((page - 1) * part.size, page * part.size);
}

function rowsOf(records: readonly JsonObject[], { paths, columns, having }: NonNullable<Question["groups"]>) {
  const groups: { values: Json[]; records: JsonObject[] }[] = paths.length === 0 ? [{ values: [], records: [] }] : [];
  for (const record of records) {
    const values = paths.map((path) => valueAt(record, path) ?? null);
    const known = groups.find((group) => isDeepStrictEqual(group.values, values));
    if (known) known.records.push(record);
    else groups.push({ values, records: [record] });
  }
  const rows = groups.map((group) => {
    const named = paths.map((path, at): [string, Json] => [path, group.values[at]!]);
    const counted = columns.map((column): [string, Json] => [nameOf(column), aggregate(group.records, column)]);
    return Object.fromEntries([...named, ...counted]);
  });
  return rows.filter((row) => having.every((leaf) => holds(row, leaf)));
}

export function nameOf({ kind, path }: Column): string {
  return kind === "count" ? kind : `${kind}_${path}`;
}

function aggregate(records: readonly JsonObject[], { kind, path }: Column): Json {
  if (kind === "count") return records.length;
  const values = records.map((record) => valueAt(record, path) ?? null).filter((value) => typeof value !== "object");
  const sorted = values.toSorted(compare);
  if (kind === "min") return sorted[0] ?? null;
  if (kind === "max") return sorted.at(-1) ?? null;
  const numbers = values.filter((value) => typeof value === "number");
  const sum = numbers.reduce((so, far) => so + far, 0);
  return kind === "sum" ? sum : numbers.length === 0 ? null : sum / numbers.length;
}

/** `_fields`: the names with their structure, or everything but them. A field named like a whole path wins. */
function select(record: JsonObject, names: readonly string[], isDropping: boolean): Json {
  const paths = names.map((name) => (Object.hasOwn(record, name) ? [name] : name.split(".")));
  return isDropping ? drop(record, paths) : keep(record, paths);
}

function keep(value: Json, paths: readonly (readonly string[])[]): Json {
  if (Array.isArray(value)) return value.filter(isNested).map((element) => keep(element, paths));
  const kept = Object.entries(value as JsonObject).flatMap(([key, inner]): [string, Json][] => {
    const below = restsAfter(key, paths);
    if (below.some((rest) => rest.length === 0)) return [[key, inner]];
    return below.length > 0 && isNested(inner) ? [[key, keep(inner, below)]] : [];
  });
  return Object.fromEntries(kept);
}

function drop(value: Json, paths: readonly (readonly string[])[]): Json {
  if (Array.isArray(value)) return value.map((element) => drop(element, paths));
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).flatMap(([key, inner]): [string, Json][] => {
    const below = restsAfter(key, paths);
    if (below.some((rest) => rest.length === 0)) return [];
    return [[key, drop(inner, below)]];
  });
  return Object.fromEntries(kept);
}

function restsAfter(key: string, paths: readonly (readonly string[])[]): (readonly string[])[] {
  return paths.filter(([first]) => first === key).map(([, ...rest]) => rest);
}

function isNested(value: Json): boolean {
  return typeof value === "object" && value !== null;
}
