import { StandinError } from "../base/errors.ts";
import { parseFields } from "./fields.ts";
import { conjunctsOf, isCondition } from "./filter.ts";
import { FilterReader, type HasPath } from "./filter-reader.ts";
import { columnsOf, parseGrouping } from "./grouping.ts";
import { operatorNamed } from "./operator-table.ts";
import { keyText } from "./order.ts";
import { parsePath } from "./path.ts";
import type { Filter, Query, SortKey } from "./query.ts";
import { parseWhere } from "./where-json.ts";
import { createWindow, DEFAULT_PAGE_LIMIT, type Window } from "./window.ts";

/** The parameters of a query string: each name with its values, in the order sent. */
export type Parameters = ReadonlyMap<string, readonly string[]>;

/** 0.17.4 reads this many and drops the rest, which bounds the cost of a query string. */
const MAX_PARAMETERS = 1000;
/** Array serialisers repeat `id` as `id[]=1&id[]=2` or `id[0]=1&id[1]=2`. */
const ARRAY_SUFFIX = /\[\d*\]$/;

/** Parameters with a special meaning since 0.17; all others may be filters. jQuery adds `_` to bypass caches. */
const CLASSIC: ReadonlySet<string> = new Set([
  "q",
  "_sort",
  "_order",
  "_page",
  "_limit",
  "_start",
  "_end",
  "_embed",
  "_expand",
  "_delay",
  "callback",
  "_",
]);

/** Parameters with a special meaning unless a record has a field of that name. */
const LATER: ReadonlySet<string> = new Set([
  "_or",
  "_where",
  "_fields",
  "_per_page",
  "_after",
  "_group",
  "_aggregate",
  "_having",
]);

/** The most keys to sort by: each is read from every record. */
const MAX_KEYS = 20;

/** A comma between names, not in the argument of an operator. */
const OUTSIDE_ARGUMENTS = /,(?![^()]{0,60}\))/;

/** Made once: most requests have neither. */
const NO_NAMES: readonly string[] = [];
const NO_KEYS: readonly SortKey[] = [];

/** Numbers of more digits are read with more care. */
const MAX_DIGITS = 9;

/** The names of all parameters that are not filters. */
export const PARAMETERS: readonly string[] = [...CLASSIC, ...LATER];

/** The query without any parameter: all records, as they stand. */
export const EVERYTHING: Query = parseQuery(new Map());

/** Parses a query string (without `?`). A broken escape stays as it was sent; `+` is a space. */
export function parseParameters(search: string): Parameters {
  const parameters = new Map<string, string[]>();
  const { length } = search;
  // A walk along the separators costs half of a split.
  for (let start = 0, count = 0, end = 0; start < length && count < MAX_PARAMETERS; start = end + 1, count++) {
    end = search.indexOf("&", start);
    if (end === -1) end = length;
    const equals = search.indexOf("=", start);
    const hasValue = equals !== -1 && equals < end;
    const name = parameterName(decode(search.slice(start, hasValue ? equals : end)));
    if (name === "") continue;
    const value = hasValue ? decode(search.slice(equals + 1, end)) : "";
    const values = parameters.get(name);
    if (values) values.push(value);
    else parameters.set(name, [value]);
  }
  return parameters;
}

/** The name of a parameter without its array suffix. */
export function parameterName(name: string): string {
  return name.endsWith("]") ? name.replace(ARRAY_SUFFIX, "") : name;
}

function decode(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

/** Whether any parameter may be a filter, or has filters in it. */
export function hasFilters(parameters: Parameters): boolean {
  for (const name of parameters.keys()) if (!CLASSIC.has(name)) return true;
  return false;
}

/**
 * Parses parameters into a query. Throws QUERY_INVALID, naming parameter and value, on an invalid one. `has` is called only
 * for names that could be a field or an operator.
 */
export function parseQuery(parameters: Parameters, has: HasPath = () => false): Query {
  const where: Filter[] = [];
  let reader: FilterReader | undefined;
  let later: Set<string> | undefined;
  for (const [name, values] of parameters) {
    if (CLASSIC.has(name)) continue;
    if (LATER.has(name) && !has(name)) later = (later ?? new Set()).add(name);
    else {
      reader ??= new FilterReader(has);
      addConjuncts(where, reader.byName(name, values));
    }
  }
  const query: Query = {
    where,
    search: (parameters.get("q")?.[0] ?? "").toLowerCase(),
    sort: parseSort(parameters, has),
    window: createWindow({
      page: wholeNumber(parameters, "_page"),
      limit: wholeNumber(parameters, "_limit"),
      start: wholeNumber(parameters, "_start"),
      end: wholeNumber(parameters, "_end"),
    }),
    embed: nameList(parameters, "_embed"),
    expand: nameList(parameters, "_expand"),
    payer: undefined,
  };
  return later ? withLater(query, { parameters, later, reader: reader ?? new FilterReader(has) }) : query;
}

/** Hot path: a condition without a copy. */
function addConjuncts(where: Filter[], filter: Filter): void {
  if (isCondition(filter)) where.push(filter);
  else where.push(...conjunctsOf(filter));
}

interface LaterParts {
  readonly parameters: Parameters;
  /** The parameters in use that 0.17 does not have. */
  readonly later: ReadonlySet<string>;
  readonly reader: FilterReader;
}

/** Adds what 0.17 does not have. */
function withLater(query: Query, parts: LaterParts): Query {
  const { parameters, later, reader } = parts;
  const grouping = isGrouped(later) ? laterGrouping(parts) : undefined;
  const columns = grouping && columnsOf(grouping);
  // Written out: a spread would take as long as all of the rest.
  const extended: Query = {
    where: later.has("_or") || later.has("_where") ? [...query.where, ...laterFilters(parts)] : query.where,
    search: query.search,
    sort: columns ? parseSort(parameters, (name) => columns.includes(name)) : query.sort,
    window: laterWindow(query.window, parameters, later),
    embed: query.embed,
    expand: query.expand,
    fields: later.has("_fields") ? parseFields(nameList(parameters, "_fields"), reader.has) : undefined,
    grouping,
    isEnveloped: later.has("_per_page"),
    payer: undefined,
  };
  if (grouping || extended.window.kind === "after") refuseContradictions(extended, parts);
  return extended;
}

function isGrouped(later: ReadonlySet<string>): boolean {
  return later.has("_group") || later.has("_aggregate") || later.has("_having");
}

function laterGrouping({ parameters, later }: LaterParts): Query["grouping"] {
  const namesOf = (name: string): readonly string[] => (later.has(name) ? nameList(parameters, name) : []);
  const having = later.has("_having") ? (parameters.get("_having") ?? []) : [];
  return parseGrouping({ group: namesOf("_group"), aggregate: namesOf("_aggregate"), having });
}

function laterFilters({ parameters, later, reader }: LaterParts): Filter[] {
  const textsOf = (name: string): readonly string[] => (later.has(name) ? (parameters.get(name) ?? []) : []);
  const alternatives = textsOf("_or").map((text) => reader.byText("_or", text));
  const combined: Filter[] = textsOf("_where").map((text) => parseWhere(text, reader));
  if (alternatives.length > 0) combined.push({ operator: "or", parts: alternatives });
  return combined.flatMap(conjunctsOf);
}

function laterWindow(window: Window, parameters: Parameters, later: ReadonlySet<string>): Window {
  if (later.has("_after")) {
    const limit = wholeNumber(parameters, "_limit") ?? DEFAULT_PAGE_LIMIT;
    if (limit < 1) throw new StandinError("QUERY_INVALID", `_limit=${limit}: with _after it must be 1 or more.`);
    return { kind: "after", limit, cursor: parameters.get("_after")?.[0] ?? "" };
  }
  if (!later.has("_per_page")) return window;
  const limit = Math.max(1, wholeNumber(parameters, "_per_page") ?? DEFAULT_PAGE_LIMIT);
  return createWindow({ page: wholeNumber(parameters, "_page") ?? 1, limit });
}

/** Parameters that cannot be used together: the first excludes the others. */
const EXCLUSIONS: readonly (readonly [name: string, ...others: string[]])[] = [
  ["_after", "_page", "_start", "_end", "_per_page", "_group", "_aggregate"],
  ["_group", "_embed", "_expand", "_fields"],
  ["_aggregate", "_embed", "_expand", "_fields"],
];

function refuseContradictions({ window, grouping }: Query, { parameters, later }: Omit<LaterParts, "reader">): void {
  // A field of such a name is a filter, and an empty number counts as absent.
  const isGiven = (name: string): boolean =>
    LATER.has(name) ? later.has(name) : parameters.has(name) && (parameters.get(name)?.[0] ?? "").trim() !== "";
  for (const [name, ...others] of EXCLUSIONS) {
    const isUsed = name === "_after" ? window.kind === "after" : grouping !== undefined && isGiven(name);
    const other = isUsed ? others.find(isGiven) : undefined;
    if (other !== undefined) throw new StandinError("QUERY_INVALID", `${name} and ${other} cannot be used together.`);
  }
}

function sortKey(name: string, order: string | undefined, has: HasPath): SortKey {
  const isReversed = name.length > 1 && name.startsWith("-") && !has(name);
  const text = isReversed ? name.slice(1) : name;
  const descending = isReversed || order?.toLowerCase() === "desc";
  return (text.includes(":") && computedKey(text, descending, has)) || { path: parsePath(text), descending };
}

/** The key of `field:operator(argument)`, unless it is a field. */
function computedKey(text: string, descending: boolean, has: HasPath): SortKey | undefined {
  const [, field, name, argument = ""] = /^(.+):(\w+)(?:\((.*)\))?$/s.exec(text) ?? [];
  const operator = name === undefined ? undefined : operatorNamed(name);
  if (!operator?.order || has(text)) return undefined;
  const path = parsePath(field!);
  return { path, descending, order: operator.order(path, argument) };
}

/** The names in a parameter, which may be repeated, comma-separated or both. */
export function nameList(parameters: Parameters, name: string): readonly string[] {
  const values = parameters.get(name);
  if (!values) return NO_NAMES;
  const names = values.join(",").split(",");
  return names.includes("") ? names.filter((one) => one !== "") : names;
}

/** The number in a parameter's first value, truncated as in 0.17; undefined when absent or empty. */
export function wholeNumber(parameters: Parameters, name: string): number | undefined {
  const text = parameters.get(name)?.[0];
  if (text === undefined) return undefined;
  const digits = digitsIn(text);
  if (digits !== undefined) return digits;
  const given = text.trim();
  if (given === "") return undefined;
  if (!/^[+-]?\d+(\.\d*)?$/.test(given)) {
    throw new StandinError(
      "QUERY_INVALID",
      `${name}=${given}: ${name} must be a whole number, for example ${name}=10.`,
    );
  }
  return Number.parseInt(given, 10);
}

/** The number that a few digits write, as nearly all are given; undefined for any other text. */
function digitsIn(text: string): number | undefined {
  if (text === "" || text.length > MAX_DIGITS) return undefined;
  let number = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return undefined;
    number = number * 10 + digit;
  }
  return number;
}

/**
 * Parses `_sort` and `_order`. An empty name keeps its position, so that the directions still match. A leading `-` sorts
 * descending, unless a field's name begins with it.
 */
function parseSort(parameters: Parameters, has: HasPath): readonly SortKey[] {
  const given = parameters.get("_sort");
  if (!given) return NO_KEYS;
  const names = given.join(",");
  if (names === "") return NO_KEYS;
  const orders = parameters.get("_order")?.join(",").split(",") ?? NO_NAMES;
  if (!names.includes(",")) return [sortKey(names, orders[0], has)];
  const keys = new Map<string, SortKey>();
  for (const [position, name] of names.split(names.includes(":") ? OUTSIDE_ARGUMENTS : ",").entries()) {
    const key = sortKey(name, orders[position], keys.size <= MAX_KEYS ? has : () => true);
    // A second key of one path has nothing left to decide.
    if (!keys.has(keyText(key))) keys.set(keyText(key), key);
  }
  if (keys.size > MAX_KEYS)
    throw new StandinError("QUERY_INVALID", `_sort: ${keys.size} different fields; at most ${MAX_KEYS} are allowed.`);
  return [...keys.values()];
}
