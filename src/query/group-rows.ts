import { isJsonObject, type Json, type JsonObject, setField } from "../json.ts";
import { inSlices, STEP, type Work } from "../slices.ts";
import { meets } from "./filter.ts";
import { compareValues, sortBy } from "./order.ts";
import { valueAt } from "./path.ts";
import type { Aggregate, Filter, Grouping, Query } from "./query.ts";

/** One group of records so far. */
interface Group {
  readonly values: readonly Json[];
  count: number;
  readonly tallies: Tally[];
}

/** What is known of the values of one aggregate. */
interface Tally {
  sum: number;
  numbers: number;
  least: Json | undefined;
  greatest: Json | undefined;
}

/** One row per group, in the order in which the groups first occur. */
export function* groupRows(records: readonly { readonly value: Json }[], grouping: Grouping): Work<JsonObject[]> {
  const { paths, aggregates } = grouping;
  const groups = new Map<string, Group>();
  const step = Math.max(1, Math.floor(STEP / (1 + paths.length + aggregates.length)));
  // Without groups there is one row, even without records.
  if (paths.length === 0) groups.set("[]", createGroup([], aggregates));
  for (let at = 0; at < records.length; at++) {
    const { value } = records[at]!;
    const values = paths.map((path) => valueAt(value, path) ?? null);
    const key = keyOf(values);
    let group = groups.get(key);
    if (!group) {
      group = createGroup(values, aggregates);
      groups.set(key, group);
    }
    add(group, value, aggregates);
    if (at % step === 0) yield;
  }
  const rows: JsonObject[] = [];
  for (const group of groups.values()) if (rows.push(rowOf(group, grouping)) % STEP === 0) yield;
  return rows;
}

function createGroup(values: readonly Json[], aggregates: readonly Aggregate[]): Group {
  const tallies = aggregates.map(() => ({ sum: 0, numbers: 0, least: undefined, greatest: undefined }));
  return { values, count: 0, tallies };
}

function add(group: Group, record: Json, aggregates: readonly Aggregate[]): void {
  group.count++;
  for (let at = 0; at < aggregates.length; at++) {
    const { kind, path } = aggregates[at]!;
    if (!path) continue;
    const value = valueAt(record, path);
    const tally = group.tallies[at]!;
    if (kind === "sum" || kind === "avg") {
      if (typeof value !== "number") continue;
      tally.sum += value;
      tally.numbers++;
    } else if (isComparable(value)) {
      if (tally.least === undefined || compareValues(value, tally.least) < 0) tally.least = value;
      if (tally.greatest === undefined || compareValues(value, tally.greatest) > 0) tally.greatest = value;
    }
  }
}

/** Numbers, texts and booleans have a least and a greatest one. */
function isComparable(value: Json | undefined): value is string | number | boolean {
  return value !== undefined && typeof value !== "object";
}

/** Creates a row from the values of its group and of its aggregates, in the order of the query. */
export function createRow(
  { paths, aggregates }: Grouping,
  values: readonly Json[],
  results: readonly Json[],
): JsonObject {
  const row: JsonObject = {};
  for (const [at, { text }] of paths.entries()) setField(row, text, values[at]!);
  for (const [at, { name }] of aggregates.entries()) setField(row, name, results[at]!);
  return row;
}

function rowOf(group: Group, grouping: Grouping): JsonObject {
  const results = grouping.aggregates.map(({ kind }, at) => resultOf(kind, group.count, group.tallies[at]!));
  return createRow(grouping, group.values, results);
}

function resultOf(kind: Aggregate["kind"], count: number, tally: Tally): Json {
  switch (kind) {
    case "count":
      return count;
    case "sum":
      return tally.sum;
    case "avg":
      return tally.numbers === 0 ? null : tally.sum / tally.numbers;
    case "min":
      return tally.least ?? null;
    case "max":
      return tally.greatest ?? null;
  }
}

/** Equal for equal values: 1 and "1" differ, and the order of an object's keys does not matter. */
function keyOf(values: readonly Json[]): string {
  const [only] = values;
  if (values.length === 1 && typeof only !== "object") return typeof only === "string" ? `"${only}` : String(only);
  return JSON.stringify(values.map(canonical));
}

function canonical(value: Json): Json {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  // Not an array alone: {} and [] differ.
  return { entries: entries.map(([key, inner]) => [key, canonical(inner)]) };
}

/** The rows that the query asks for, in its order. */
export async function arrangeRows(rows: readonly JsonObject[], query: Query): Promise<readonly JsonObject[]> {
  const { grouping, sort } = query;
  const having = grouping?.having ?? [];
  const kept = having.length === 0 ? rows : await inSlices(keepRows(rows, having));
  return sort.length === 0 ? kept : sortBy(kept, sort, (row) => row);
}

function* keepRows(rows: readonly JsonObject[], having: readonly Filter[]): Work<JsonObject[]> {
  const kept: JsonObject[] = [];
  for (const row of rows) {
    if (having.every((filter) => meets(row, filter))) kept.push(row);
    yield;
  }
  return kept;
}
