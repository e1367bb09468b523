import { StandinError } from "../../base/errors.ts";
import { isJsonObject, type Json } from "../../base/json/json.ts";
import { didYouMean } from "../../base/nearest.ts";
import { columnsOf, unknownColumn } from "../../query/grouping.ts";
import { selectedPaths } from "../../query/mentioned-paths.ts";
import { PARAMETERS, type Parameters } from "../../query/parameters.ts";
import { EVERYTHING } from "../../query/parse-query.ts";
import { hasPath, parsePath } from "../../query/path.ts";
import type { FieldSelection, Grouping, Query, SortKey } from "../../query/query.ts";
import { unknownField, unknownSingletonField } from "../../store/unknown-field.ts";
import type { DataService } from "../contract.ts";
import { type RelationNames, refuseUnknownRelations } from "../relations/unknown-relations.ts";
import { explainVain, suspectConditions } from "./oddities.ts";

/** `Preference-Applied` of a response to a request with strict handling. */
export const STRICT_APPLIED = { "Preference-Applied": "handling=strict" };

/** The records that stand for all of a collection. */
export const FIRST_RECORDS: Query = { ...EVERYTHING, window: { kind: "slice", start: 0, end: 20 } };

/** Refuses the relations, columns and directions that a list request names in vain; the store refuses fields of records. */
export async function refuseUnknownParts(service: DataService, collection: string, query: Query): Promise<void> {
  const { embed, expand, grouping, sort } = query;
  const unknown = grouping && unknownSortColumn(grouping, sort);
  if (unknown !== undefined) throw new StandinError("QUERY_FIELD_UNKNOWN", unknown);
  const [order] = unknownOrder(sort);
  if (order !== undefined) throw new StandinError("QUERY_INVALID", order);
  if (embed.length > 0 || expand.length > 0) await refuseUnknownRelations(service, { collection, embed, expand });
}

/** Explains an order by a column that the rows of groups do not have. */
export function unknownSortColumn(grouping: Grouping, sort: readonly SortKey[]): string | undefined {
  const names = columnsOf(grouping);
  const unknown = sort.find(
    ({ path }) => path.text !== "" && ![path.text, ...path.segments.slice(0, 1)].some(isIn(names)),
  );
  return unknown && unknownColumn(`_sort=${unknown.path.text}`, unknown.path.text, names);
}

/** Explains a direction such as `dsc`. */
export function unknownOrder(sort: readonly SortKey[]): string[] {
  const order = sort.find(({ unknownOrder }) => unknownOrder)?.unknownOrder;
  return order ? [`_order=${order}: it must be "asc" or "desc".${didYouMean(order, ["desc", "asc"])}`] : [];
}

function isIn(names: readonly string[]): (name: string) => boolean {
  return (name) => names.includes(name);
}

/** Refuses the conditions of an empty list that no record can meet. */
export async function refuseVain({ store }: DataService, collection: string, { where }: Query): Promise<void> {
  const suspects = suspectConditions(where);
  if (suspects.length === 0) return;
  const { records } = await store.find(collection, FIRST_RECORDS);
  const [vain] = explainVain(
    suspects,
    records.map(({ value }) => value),
  );
  if (vain !== undefined) throw new StandinError("QUERY_INVALID", vain);
}

export interface RecordWish extends RelationNames {
  readonly id: string;
  readonly fields: FieldSelection | undefined;
  readonly parameters: Parameters;
}

/** Refuses what a request for one record names in vain. */
export async function refuseUnknown(service: DataService, wish: RecordWish): Promise<void> {
  const { store } = service;
  const { collection, id, parameters } = wish;
  await refuseUnknownRelations(service, wish);
  const names = [...unknownParameters(parameters), ...selectedPaths(wish).map(({ text }) => text)];
  if (names.length === 0) return;
  const held = await store.heldPaths(collection, names);
  const missing = names.find((name) => !held.has(name));
  if (missing === undefined) return;
  const record = (await store.get(collection, id))?.value;
  throw unknownField(collection, missing, isJsonObject(record) ? Object.keys(record) : []);
}

export interface SingletonWish {
  readonly name: string;
  readonly value: Json;
  readonly fields: FieldSelection | undefined;
  readonly parameters: Parameters;
}

/** Refuses what a request for a singleton names in vain. */
export function refuseUnknownOfSingleton({ name, value, fields, parameters }: SingletonWish): void {
  const paths = [...unknownParameters(parameters).map(parsePath), ...(fields?.paths ?? [])];
  const missing = paths.find((path) => !hasPath(value, path));
  if (missing) throw unknownSingletonField(name, missing.text, isJsonObject(value) ? Object.keys(value) : []);
}

/** The parameters that begin with `_` and have no special meaning. */
export function unknownParameters(parameters: Parameters): string[] {
  return [...parameters.keys()].filter((name) => name.startsWith("_") && !PARAMETERS.includes(name));
}
