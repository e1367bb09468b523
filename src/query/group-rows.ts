import { isJsonObject, type Json, type JsonObject, setField, stringifyJson } from "../base/json/json.ts";
import { inSlices, STEP, type Work } from "../base/slices.ts";
import { metered, type WorkAccount, whileWanted } from "../base/work-account.ts";
import { meets } from "./filter.ts";
import { compareValues, sortBy, sortInSteps } from "./order.ts";
import { type Path, valueAt } from "./path.ts";
import type { Aggregate, Filter, Grouping, Query } from "./query.ts";

/** One group of records so far. */
interface Group {
  readonly values: readonly Json[];
  count: number;
  /** In the order of the fields. */
  readonly tallies: readonly Tally[];
}

/** A field that is read for aggregates, once however many there are. */
interface Field {
  readonly path: Path;
  readonly isAdded: boolean;
  readonly isCompared: boolean;
}

/** The values of one field so far. */
interface Tally {
  sum: number;
  numbers: number;
  least: Json | undefined;
  greatest: Json | undefined;
}

/** The letters that take as much memory as a cell. */
const LETTERS_PER_CELL = 64;
/** So many rows are sorted at once. */
const MAX_SORTED_AT_ONCE = 2000;

/** One row per group, in the order in which the groups first occur. */
export function* groupRows(
  records: readonly { readonly value: Json }[],
  grouping: Grouping,
  account?: WorkAccount | undefined,
): Work<JsonObject[]> {
  const { paths, aggregates } = grouping;
  const fields = fieldsOf(aggregates);
  const groups = new Groups(grouping, fields.length, account);
  const step = Math.max(1, Math.floor(STEP / (1 + paths.length + fields.length)));
  for (let from = 0; from < records.length; from += step) {
    addAll(groups, fields, records, from, Math.min(from + step, records.length));
    yield;
  }
  const rows: JsonObject[] = [];
  const spots = grouping.aggregates.map(({ path }) => fields.findIndex((field) => field.path.text === path?.text));
  for (const group of groups.all) if (rows.push(rowOf(group, grouping, spots)) % step === 0) yield;
  return rows;
}

function fieldsOf(aggregates: readonly Aggregate[]): Field[] {
  const paths = new Map(aggregates.flatMap(({ path }) => (path ? [[path.text, path] as const] : [])));
  return [...paths.values()].map((path) => {
    const kinds = aggregates.filter((aggregate) => aggregate.path?.text === path.text).map(({ kind }) => kind);
    return {
      path,
      isAdded: kinds.includes("sum") || kinds.includes("avg"),
      isCompared: kinds.includes("min") || kinds.includes("max"),
    };
  });
}

/** The groups, each found by the values that its records have in common. */
class Groups {
  /** In the order in which they first occur. */
  readonly all: Group[] = [];
  readonly #paths: readonly Path[];
  readonly #fields: number;
  readonly #account: WorkAccount | undefined;
  /** The memory of a row, which repeats the names of its columns, in cells. */
  readonly #cells: number;
  readonly #byScalar = new Map<Json, Group>();
  readonly #byText = new Map<string, Group>();

  constructor({ paths, aggregates }: Grouping, fields: number, account: WorkAccount | undefined) {
    this.#paths = paths;
    this.#fields = fields;
    this.#account = account;
    const letters = [...paths.map(({ text }) => text), ...aggregates.map(({ name }) => name)].join("").length;
    this.#cells = paths.length + aggregates.length + Math.ceil(letters / LETTERS_PER_CELL);
    // Without groups there is one row, even without records.
    if (paths.length === 0) this.#create([]);
  }

  /** The group of a record. */
  of(record: Json): Group {
    if (this.#paths.length === 0) return this.all[0]!;
    const [path, second] = this.#paths;
    if (!path || second) return this.#byValues(this.#paths.map((one) => valueAt(record, one) ?? null));
    // Hot path: most records are grouped by one scalar, which needs no text to be told from others.
    const value = valueAt(record, path) ?? null;
    if (typeof value === "object" && value !== null) return this.#byValues([value]);
    let group = this.#byScalar.get(value);
    if (!group) {
      group = this.#create([value]);
      this.#byScalar.set(value, group);
    }
    return group;
  }

  #byValues(values: readonly Json[]): Group {
    const key = stringifyJson(values.map(canonical));
    let group = this.#byText.get(key);
    if (!group) {
      this.#account?.claim(Math.ceil(key.length / LETTERS_PER_CELL));
      group = this.#create(values);
      this.#byText.set(key, group);
    }
    return group;
  }

  #create(values: readonly Json[]): Group {
    this.#account?.claim(this.#cells);
    const tallies = Array.from({ length: this.#fields }, () => createTally());
    const group = { values, count: 0, tallies };
    this.all.push(group);
    return group;
  }
}

function createTally(): Tally {
  return { sum: 0, numbers: 0, least: undefined, greatest: undefined };
}

/** Apart from the generator, which the engine compiles late. Hot path: positional parameters allocate nothing. */
function addAll(
  groups: Groups,
  fields: readonly Field[],
  records: readonly { readonly value: Json }[],
  from: number,
  to: number,
): void {
  for (let at = from; at < to; at++) {
    const { value } = records[at]!;
    add(groups.of(value), value, fields);
  }
}

function add(group: Group, record: Json, fields: readonly Field[]): void {
  group.count++;
  for (let at = 0; at < fields.length; at++) {
    const { path, isAdded, isCompared } = fields[at]!;
    const value = valueAt(record, path);
    const tally = group.tallies[at]!;
    if (isAdded && typeof value === "number") {
      tally.sum += Number(value);
      tally.numbers++;
    }
    if (isCompared && isComparable(value)) {
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

/** `spots` are the places of the aggregates' fields among the tallies. */
function rowOf(group: Group, grouping: Grouping, spots: readonly number[]): JsonObject {
  const results = grouping.aggregates.map(({ kind }, at) =>
    kind === "count" ? group.count : resultOf(kind, group.tallies[spots[at]!]!),
  );
  return createRow(grouping, group.values, results);
}

function resultOf(kind: "sum" | "avg" | "min" | "max", tally: Tally): Json {
  switch (kind) {
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

/** Equal texts for equal values: the order of an object's keys does not matter. */
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
  const account = query.payer?.account;
  const having = grouping?.having ?? [];
  const passing = having.length === 0 ? rows : await inSlices(metered(keepRows(rows, having), account));
  if (sort.length === 0) return passing;
  if (passing.length <= MAX_SORTED_AT_ONCE) return sortBy(passing, sort, (row) => row);
  return inSlices(
    whileWanted(
      sortInSteps(passing, sort, (row) => row),
      account,
    ),
  );
}

function* keepRows(rows: readonly JsonObject[], having: readonly Filter[]): Work<JsonObject[]> {
  const passing: JsonObject[] = [];
  for (const row of rows) {
    if (having.every((filter) => meets(row, filter))) passing.push(row);
    yield;
  }
  return passing;
}
