import { StandinError } from "../base/errors.ts";
import { andThen, type Eventually } from "../base/eventually.ts";
import { nextTurn } from "../base/slices.ts";
import type { Payer } from "../base/work-account.ts";
import { parseFields } from "./fields.ts";
import { conjunctsOf, isCondition } from "./filter.ts";
import { FilterReader, type HasPath } from "./filter-reader.ts";
import { columnsOf, parseGrouping } from "./grouping.ts";
import { PatternPasses, PatternsPending } from "./like-pattern.ts";
import { operatorNamed } from "./operator-table.ts";
import { keyText } from "./order.ts";
import { CLASSIC, LATER, type Parameters } from "./parameters.ts";
import { parsePath } from "./path.ts";
import type { FieldsOfRecords, Filter, Query, SortKey } from "./query.ts";
import { parseWhere } from "./where-json.ts";
import { createWindow, laterWindow, wholeNumber } from "./window.ts";

/** 0.17.4 reads this many and drops the rest, which bounds the cost of a query string. */
const MAX_PARAMETERS = 1000;
/** Array serialisers repeat `id` as `id[]=1&id[]=2` or `id[0]=1&id[1]=2`. */
const ARRAY_SUFFIX = /\[\d*\]$/;
const IN_BRACKETS = /^\[([^[\]]+)\]$/;

/** The most keys to sort by: each is read from every record. */
const MAX_KEYS = 20;

/** Words for ascending order. */
const KNOWN_ORDER = /^(asc)?$/i;

/** A comma between names, not in the argument of an operator. */
const OUTSIDE_ARGUMENTS = /,(?![^()]{0,60}\))/;

/** Made once: most requests have neither. */
const NO_NAMES: readonly string[] = [];
const NO_KEYS: readonly SortKey[] = [];

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

/** The name of a parameter without its array suffix, and without brackets around all of it: 0.17.4 reads `[id]` as `id`. */
export function parameterName(name: string): string {
  return name.endsWith("]") ? name.replace(ARRAY_SUFFIX, "").replace(IN_BRACKETS, "$1") : name;
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
  const grouping = laterGrouping(parts);
  const columns = grouping && columnsOf(grouping);
  // Written out: a spread would take as long as all of the rest.
  const extended: Query = {
    where: later.has("_or") || later.has("_where") ? [...query.where, ...laterFilters(parts)] : query.where,
    search: query.search,
    sort: columns ? parseSort(parameters, (name) => columns.includes(name)) : query.sort,
    window: laterWindow(parameters, later) ?? query.window,
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

function laterGrouping({ parameters, later }: LaterParts): Query["grouping"] {
  if (!later.has("_group") && !later.has("_aggregate") && !later.has("_having")) return undefined;
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
  const key = (text.includes(":") && computedKey(text, descending, has)) || { path: parsePath(text), descending };
  return order === undefined || descending || KNOWN_ORDER.test(order) ? key : { ...key, unknownOrder: order };
}

/** The key of `field:operator(argument)`, unless it is a field. */
function computedKey(text: string, descending: boolean, has: HasPath): SortKey | undefined {
  const [, field = "", name, argument = ""] = /^(.+):(\w+)(?:\((.*)\))?$/s.exec(text) ?? [];
  const operator = name === undefined ? undefined : operatorNamed(name);
  if (!operator?.order || has(text)) return undefined;
  const path = parsePath(field);
  return { path, descending, order: operator.order(path, argument) };
}

/** The names in a parameter, which may be repeated, comma-separated or both. */
export function nameList(parameters: Parameters, name: string): readonly string[] {
  const values = parameters.get(name);
  if (!values) return NO_NAMES;
  const names = values.join(",").split(",");
  return names.includes("") ? names.filter((one) => one !== "") : names;
}

/**
 * Parses `_sort` and `_order`. An empty name keeps its position, so that the directions still match. A leading `-` sorts
 * descending, unless a field's name begins with it.
 */
function parseSort(parameters: Parameters, has: HasPath): readonly SortKey[] {
  const values = parameters.get("_sort");
  if (!values) return NO_KEYS;
  const names = values.join(",");
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

/**
 * Parses a query against the fields that the records have: a name such as `check_in` or `price:gt` may be a field, or an
 * operator behind one. Asks the store only about such names, and again while the answers raise further questions.
 */
export function readQuery(
  store: FieldsOfRecords,
  collection: string,
  parameters: Parameters,
  payer?: Payer,
): Eventually<Query> {
  if (parameters.size === 0) return EVERYTHING;
  const read = (has: HasPath): Query => {
    const query = parseQuery(parameters, has);
    query.payer = payer;
    return query;
  };
  const patterns = hasFilters(parameters) ? new PatternPasses() : undefined;
  return readKnowing(NOTHING, { store, collection, read, payer, patterns });
}

/** Whether any parameter may be a filter, or has filters in it. */
function hasFilters(parameters: Parameters): boolean {
  for (const name of parameters.keys()) if (!CLASSIC.has(name)) return true;
  return false;
}

const NOTHING: ReadonlyMap<string, boolean> = new Map();

/** The parts of reading something that stay the same from one try to the next. */
interface Reading<T> {
  readonly store: FieldsOfRecords;
  readonly collection: string;
  readonly read: (has: HasPath) => T;
  /** Undefined where there can be none. */
  readonly patterns: PatternPasses | undefined;
  readonly payer?: Payer | undefined;
}

/** Reads something else that depends on the fields of the records. */
export function readByFields<T>(store: FieldsOfRecords, collection: string, read: (has: HasPath) => T): Eventually<T> {
  return readKnowing(NOTHING, { store, collection, read, patterns: new PatternPasses() });
}

function readKnowing<T>(known: ReadonlyMap<string, boolean>, reading: Reading<T>): Eventually<T> {
  const { store, collection, read, patterns } = reading;
  let unknown: Set<string> | undefined;
  const has = (path: string): boolean => {
    const isHeld = known.get(path) ?? store.heldAtHand(collection, path);
    if (isHeld === undefined) unknown = (unknown ?? new Set()).add(path);
    return isHeld ?? false;
  };
  let value: T;
  try {
    value = patterns ? patterns.read(read, has) : read(has);
  } catch (refusal) {
    if (refusal instanceof PatternsPending) return readOn(known, reading, refusal.spentMs);
    // A refused query may be right once the answers are in.
    if (!unknown) throw refusal;
    return readAnswered(unknown, known, reading);
  }
  return unknown ? readAnswered(unknown, known, reading) : value;
}

/** Lets others run before the next of the patterns are compiled. */
async function readOn<T>(known: ReadonlyMap<string, boolean>, reading: Reading<T>, spentMs: number): Promise<T> {
  reading.payer?.account.charge(spentMs);
  await nextTurn();
  return readKnowing(known, reading);
}

function readAnswered<T>(
  asked: ReadonlySet<string>,
  known: ReadonlyMap<string, boolean>,
  reading: Reading<T>,
): Eventually<T> {
  const { store, collection, payer } = reading;
  return andThen(store.heldPaths(collection, [...asked], payer?.account), (held) => {
    const answers = new Map(known);
    for (const path of asked) answers.set(path, held.has(path));
    return readKnowing(answers, reading);
  });
}
