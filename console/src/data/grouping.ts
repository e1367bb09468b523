import type { JsonObject } from "../api/json.ts";
import { idKeyOf, type Overview } from "../api/overview.ts";
import { linksIn, parentOf } from "../records/relations.ts";
import type { Clause } from "./condition.ts";
import type { Column } from "./table/columns.ts";

export const AGGREGATES = ["count", "sum", "avg", "min", "max"] as const;
export type AggregateKind = (typeof AGGREGATES)[number];

/** Ways to put groups together: spans of time, and the elements of lists. */
export const BUCKETS = ["day", "month", "year", "element"] as const;
export type BucketKind = (typeof BUCKETS)[number];

/** Asks for one row per group in place of records. */
export interface Grouping {
  readonly fields: readonly string[];
  readonly kind: AggregateKind;
  /** The field that is added up or compared; empty for `count`. */
  readonly of: string;
  /** Puts the groups of a single field together. The page does so: no server knows it. */
  readonly by?: BucketKind | undefined;
}

export const AGGREGATE_WORDS: Readonly<Record<AggregateKind, string>> = {
  count: "Records",
  sum: "Sum",
  avg: "Average",
  min: "Least",
  max: "Greatest",
};

/** Reads `_group` and `_aggregate`; undefined where records are asked for. Of several aggregates the first one counts. */
export function parseGrouping(parameters: URLSearchParams): Grouping | undefined {
  const group = parameters.getAll("_group").join(",");
  if (group === "") return undefined;
  const [aggregate = ""] = (parameters.get("_aggregate") ?? "").split(",");
  const [name = "", ...path] = aggregate.split(":");
  const of = path.join(":");
  const kind = AGGREGATES.find((one) => one === name && (one === "count") === (of === "")) ?? "count";
  const by = BUCKETS.find((one) => one === parameters.get("_by"));
  return { fields: group.split(",").filter((field) => field !== ""), kind, of: kind === "count" ? "" : of, by };
}

/** The largest groups first. */
export function groupingParameters(grouping: Grouping): [string, string][] {
  const { fields, kind, of, by } = grouping;
  return [
    ["_group", fields.join(",")],
    ["_aggregate", kind === "count" ? kind : `${kind}:${of}`],
    ["_sort", `-${aggregateColumn(grouping)}`],
    ...(by === undefined ? [] : [["_by", by] satisfies [string, string]]),
  ];
}

/** More values than this are not put together. */
const MOST_VALUES = 20_000;

/** The request for the values that are put together: all of them, and their counts where an average needs them. */
export function bucketParameters({ fields, kind, of }: Grouping): [string, string][] {
  const aggregate = kind === "count" ? kind : `${kind}:${of}`;
  return [
    ["_group", fields.join(",")],
    ["_aggregate", kind === "avg" ? `${aggregate},count` : aggregate],
    ["_limit", String(MOST_VALUES)],
  ];
}

/** The name of the aggregate in the rows. */
export function aggregateColumn({ kind, of }: Grouping): string {
  return kind === "count" ? kind : `${kind}_${of}`;
}

/** A heading: "Sum of price". */
export function aggregateWords({ kind, of }: Grouping): string {
  return kind === "count" ? AGGREGATE_WORDS.count : `${AGGREGATE_WORDS[kind]} of ${of}`;
}

/** The grouping to begin with: by a related collection, else by a field of few values, and how many records there are. */
export function firstGrouping(overview: Overview, collection: string, columns: readonly Column[]): Grouping {
  const idKey = idKeyOf(overview, collection);
  const candidates = columns.filter(
    ({ name, types }) => name !== idKey && !types.includes("object") && !types.includes("array"),
  );
  const isKey = ({ name }: Column): boolean => parentOf(linksIn(overview), collection, name) !== undefined;
  const best = candidates.find(isKey) ?? candidates.find(({ kind }) => kind === "boolean") ?? candidates[0];
  return { fields: [best?.name ?? idKey], kind: "count", of: "" };
}

/** The filters for the records of a group; undefined if it is one of arrays or objects, which no filter can name. */
export function groupFilters(row: JsonObject, fields: readonly string[]): Clause[] | undefined {
  const values = fields.map((field) => row[field] ?? null);
  if (values.some((value) => typeof value === "object" && value !== null)) return undefined;
  return fields.map((path, at) => {
    const value = values[at];
    if (value === null) return [{ path, operator: "null", value: "true" }];
    return [value === "" ? { path, operator: "like", value: "^$" } : { path, operator: "eq", value: String(value) }];
  });
}
