import { type ErrorCode, StandinError } from "../../base/errors.ts";
import { isJsonObject, type Json } from "../../base/json/json.ts";
import { didYouMean } from "../../base/nearest.ts";
import type { WorkAccount } from "../../base/work-account.ts";
import { conditionsIn, isCondition } from "../../query/filter.ts";
import { columnsOf, unknownColumn } from "../../query/grouping.ts";
import { meantName, meantOrder } from "../../query/meant-name.ts";
import { operatorNamed } from "../../query/operator-table.ts";
import { PARAMETERS, type Parameters } from "../../query/parameters.ts";
import { EVERYTHING } from "../../query/parse-query.ts";
import { hasPath, type Path, parsePath, someValueAt } from "../../query/path.ts";
import type { Condition, FieldSelection, Query } from "../../query/query.ts";
import type { DataService } from "../contract.ts";
import { type RelationNames, unknownRelation } from "../relations/unknown-relations.ts";

/*
 * Finds what a request says in vain. Strict handling refuses the first mistake; otherwise the request gets what it would
 * without it, as in 0.17, with a `Warning`.
 */

export interface Mistake {
  readonly code: ErrorCode;
  /** For the log and the `Warning`. */
  readonly line: string;
  /** The message of a refusal, where it says more. */
  readonly message?: string;
  /** The field that no record has. */
  readonly path?: string;
  /** Whether the name is more likely a cache buster, or a parameter for somebody else. */
  readonly isHarmless?: boolean;
}

/** A field that a request names: `pric` behind `_sort=`. Without a parameter, it is the name of a filter. */
export interface NamedField {
  readonly path: string;
  readonly parameter?: string;
}

/** The records that stand for all of a collection. */
const FIRST_RECORDS: Query = { ...EVERYTHING, window: { kind: "slice", start: 0, end: 20 } };
/** The most characters of a name to show. */
const MAX_SHOWN = 80;
/** Shorter names are cache busters more often than fields. */
const MIN_FIELD = 3;
const SORT = "_sort=";
/** A value such as `gt:3`, which other servers take for an operator. */
const WITH_OPERATOR = /^(!?)(\w+):/;

export function refuse([first]: readonly Mistake[]): void {
  if (first) throw new StandinError(first.code, first.message ?? first.line);
}

/** Parameters that begin with `_` and have no special meaning. */
export function unknownParameters(parameters: Parameters): NamedField[] {
  return [...parameters.keys()].flatMap((path) => (path.startsWith("_") && !PARAMETERS.includes(path) ? { path } : []));
}

/** The fields that the filters of a query name. */
export function filteredFields({ where }: Pick<Query, "where">): NamedField[] {
  return where.flatMap(conditionsIn).flatMap(({ path, isFromPath }) => (isFromPath ? [] : { path: path.text }));
}

/** The fields that a query names outside of its filters. */
export function namedFields(query: Pick<Query, "sort" | "grouping" | "fields" | "embed" | "expand">): NamedField[] {
  const named = (parameter: string, paths: readonly Path[]): NamedField[] =>
    paths.map(({ text }) => ({ parameter, path: text }));
  const { sort, grouping } = query;
  const selected = named("_fields=", selectedPaths(query));
  // The rows of groups are sorted by their own columns.
  const sorted = sort.map(({ path }) => path).filter(({ text }) => text !== "");
  if (!grouping) return [...named(SORT, sorted), ...selected];
  const aggregated = grouping.aggregates.flatMap(({ kind, path }) => named(`_aggregate=${kind}:`, path ? [path] : []));
  return [...named("_group=", grouping.paths), ...aggregated, ...selected];
}

/** The paths of `_fields` that lead into the records themselves, not into what `_embed` and `_expand` add. */
function selectedPaths({ fields, embed, expand }: Pick<Query, "fields" | "embed" | "expand">): readonly Path[] {
  if (!fields) return [];
  const added = new Set([...embed, ...expand].map((name) => name.split(".")[0]));
  return fields.paths.filter(({ segments }) => !added.has(segments[0]));
}

interface FieldCheck {
  readonly collection: string;
  readonly named: readonly NamedField[];
  readonly account?: WorkAccount | undefined;
  /** Names without a mistake, each behind its collection and `?`: they are not looked for again. */
  readonly known?: Set<string>;
}

/** Finds fields that no record has. Without records, nothing is known of their fields. */
export async function fieldMistakes(
  { store }: DataService,
  { collection, named, account, known }: FieldCheck,
): Promise<Mistake[]> {
  const doubtful = named.filter(({ path }) => !known?.has(`${collection}?${path}`));
  if (doubtful.length === 0) return [];
  const paths = doubtful.map(({ path }) => path);
  const held = await store.heldPaths(collection, paths, account);
  for (const path of held) known?.add(`${collection}?${path}`);
  const unknown = doubtful.filter(({ path }) => !held.has(path));
  if (unknown.length === 0) return [];
  const { records } = await store.find(collection, FIRST_RECORDS);
  const values = records.map(({ value }) => value);
  if (values.length === 0) return [];
  const mistakes = unknown.map((one) => fieldMistake(collection, one, values));
  for (const { path, isHarmless } of mistakes) if (isHarmless) known?.add(`${collection}?${path}`);
  return mistakes;
}

function fieldMistake(collection: string, { path, parameter = "" }: NamedField, records: readonly Json[]): Mistake {
  const names = namesIn(records);
  const [first = "", ...inner] = parsePath(path).segments;
  const candidates = inner.length > 0 ? [...names, ...namesBelow(first, records)] : names;
  const isFilter = parameter === "";
  const isShort = isFilter && path.length < MIN_FIELD;
  const meant = isShort ? undefined : (parameter === SORT ? meantOrder : meantName)(path, candidates);
  const ignored = isFilter ? ", so it was ignored" : "";
  return {
    code: "QUERY_FIELD_UNKNOWN",
    line: `${parameter}${shown(path)}: no record of ${collection} has such a field${ignored}.${hint(meant)}`,
    message: unknownFieldMessage(`No record of ${collection} has a field "${path}".`, names, meant),
    path,
    isHarmless: isFilter && meant === undefined && inner.length === 0 && !path.startsWith("_"),
  };
}

/** The message of a refusal: what has no such field, and which fields there are. */
export function unknownFieldMessage(reason: string, fields: readonly string[], meant: string | undefined): string {
  const listed = fields.length === 0 ? "" : ` Fields: ${fields.join(", ")}.`;
  return `${reason}${hint(meant)}${listed}`;
}

export interface SingletonWish {
  readonly name: string;
  readonly value: Json;
  readonly fields: FieldSelection | undefined;
  readonly parameters: Parameters;
}

export function singletonMistakes({ name, value, fields, parameters }: SingletonWish): Mistake[] {
  const paths = [...unknownParameters(parameters).map(({ path }) => parsePath(path)), ...(fields?.paths ?? [])];
  const missing = paths.find((path) => !hasPath(value, path));
  if (!missing) return [];
  const names = isJsonObject(value) ? Object.keys(value) : [];
  const { text } = missing;
  const line = unknownFieldMessage(`${name} has no field "${text}".`, names, meantName(text, names));
  return [{ code: "QUERY_FIELD_UNKNOWN", line }];
}

export async function unknownRelations(service: DataService, names: RelationNames): Promise<Mistake[]> {
  if (names.embed.length === 0 && names.expand.length === 0) return [];
  const line = await unknownRelation(service, names);
  return line === undefined ? [] : [{ code: "QUERY_INVALID", line }];
}

/** Finds a column that the rows of groups do not have, a direction such as `dsc`, and a page such as `_page=0`. */
export function shapeMistakes({ grouping, sort, window }: Query, parameters: Parameters): Mistake[] {
  const found: Mistake[] = [];
  const names = grouping ? columnsOf(grouping) : [];
  const isColumn = ({ text, segments: [first = text] }: Path): boolean =>
    text === "" || names.includes(text) || names.includes(first);
  const column = grouping && sort.find(({ path }) => !isColumn(path))?.path.text;
  if (column !== undefined) {
    found.push({ code: "QUERY_FIELD_UNKNOWN", line: unknownColumn(`_sort=${column}`, column, names) });
  }
  const order = sort.find(({ unknownOrder }) => unknownOrder)?.unknownOrder;
  if (order) {
    const line = `_order=${order}: it must be "asc" or "desc".${didYouMean(order, ["desc", "asc"])}`;
    found.push({ code: "QUERY_INVALID", line });
  }
  const page = window.kind === "page" && window.page === 1 ? (parameters.get("_page")?.[0]?.trim() ?? "") : "";
  if (page !== "" && Number(page) < 1) {
    found.push({
      code: "QUERY_INVALID",
      line: `_page=${page}: pages are counted from 1, so this is the first one.`,
    });
  }
  return found;
}

/** Finds conditions of an empty list that no record can meet. */
export async function vainConditions({ store }: DataService, collection: string, query: Query): Promise<Mistake[]> {
  const suspects = query.where.filter(isCondition).filter((one) => isWithOperator(one) || isWithoutNumber(one));
  if (suspects.length === 0) return [];
  const { records } = await store.find(collection, FIRST_RECORDS);
  const values = records.map(({ value }) => value);
  const lines = values.length === 0 ? [] : suspects.flatMap((condition) => explainVain(condition, values));
  return lines.map((line) => ({ code: "QUERY_INVALID", line }));
}

function explainVain(condition: Condition, records: readonly Json[]): string | [] {
  const { path, operator, values } = condition;
  const [value = ""] = values;
  if (isWithOperator(condition)) {
    const meant = `${path.text}:${value.replace(":", "=")}`;
    return `${path.text}=${value}: an operator belongs to the name. Did you mean "${meant}"?`;
  }
  if (!isNumeric(path, records)) return [];
  return `${path.text}:${operator}=${value}: ${path.text} is a number, so nothing matches "${value}".`;
}

function isWithOperator({ isPlain, values }: Condition): boolean {
  const [, , name = ""] = WITH_OPERATOR.exec(values[0] ?? "") ?? [];
  return isPlain === true && operatorNamed(name) !== undefined;
}

function isWithoutNumber({ comparison, isNegated, values }: Condition): boolean {
  return comparison.bound !== undefined && !isNegated && values.every((value) => Number.isNaN(Number(value)));
}

/** Whether the values at a path are numbers alone. */
function isNumeric(path: Path, records: readonly Json[]): boolean {
  const isNumber = (value: Json): boolean => typeof value === "number";
  const isAny = (test: (value: Json) => boolean): boolean => records.some((record) => someValueAt(record, path, test));
  return isAny(isNumber) && !isAny((value) => value !== null && !isNumber(value));
}

function namesIn(records: readonly Json[]): string[] {
  return [...new Set(records.flatMap((record) => (isJsonObject(record) ? Object.keys(record) : [])))];
}

/** The fields of an object in the records, such as `category.name`. */
function namesBelow(field: string, records: readonly Json[]): string[] {
  const objects = records.flatMap((record) =>
    isJsonObject(record) && Object.hasOwn(record, field) ? (record[field] ?? []) : [],
  );
  return namesIn(objects.flat()).map((name) => `${field}.${name}`);
}

function hint(meant: string | undefined): string {
  return meant === undefined ? "" : ` Did you mean "${shown(meant)}"?`;
}

function shown(name: string): string {
  return oneLine(name, MAX_SHOWN);
}

/** A text as one short line, whatever a client puts into it. */
export function oneLine(text: string, most: number): string {
  const line = text.replace(/\p{C}/gu, "\ufffd");
  return line.length > most ? `${line.slice(0, most)}...` : line;
}
