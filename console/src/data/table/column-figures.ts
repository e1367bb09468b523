import type { Json, JsonObject } from "../../api/json.ts";
import type { Clause } from "../condition.ts";
import { groupFilters } from "../grouping.ts";
import { formatListQuery, formatParameters, type ListQuery, listPath } from "../list-query.ts";
import type { Window } from "../record-windows.ts";
import { binEdges, binOf, type Edges } from "./bins.ts";
import type { Column } from "./columns.ts";

/** A value of the column, or a range of them, with the records that have it. */
export interface Share {
  readonly label: string;
  readonly count: number;
  /** Single these records out; undefined where no filter can. */
  readonly filters: readonly Clause[] | undefined;
}

export interface Figures {
  readonly distinct: number;
  /** Records without a value. */
  readonly empty: number;
  /** The most frequent values. */
  readonly top: readonly Share[];
  /** Numbers and times in ranges, from the least to the greatest. */
  readonly bins: readonly Share[];
  /** Of numbers. */
  readonly average: number | undefined;
  readonly least: Json;
  readonly greatest: Json;
}

export type FetchRows = (path: string) => Promise<Window>;

const MOST_VALUES = 5;
/** As many different values are fetched and sorted into bins here; with more of them, the server counts each bin. */
const MOST_GROUPS = 300;

/**
 * Asks the server about the values of a column among the records of a list: three requests, and for numbers and times one
 * more, or one for each bin.
 */
export async function loadFigures(
  fetchRows: FetchRows,
  collection: string,
  column: Column,
  query: ListQuery,
): Promise<Figures> {
  const { name } = column;
  const list: ListQuery = { ...query, sort: [], fields: undefined, grouping: undefined };
  const ask = (added: [string, string][], filters: readonly Clause[] = []): Promise<Window> =>
    fetchRows(
      listPath(
        collection,
        formatListQuery({ ...list, filters: [...list.filters, ...filters] }),
        formatParameters(added),
      ),
    );
  const countOf = async (filters: readonly Clause[]): Promise<number> => (await ask([["_limit", "1"]], filters)).total;
  const isRanged = column.kind === "number" || column.kind === "date" || column.kind === "date-time";
  const [groups, empty, [extent = {}]] = await Promise.all([
    ask([
      ["_group", name],
      ["_sort", "-count"],
      ["_limit", String(isRanged ? MOST_GROUPS : MOST_VALUES + 1)],
    ]),
    countOf([[{ path: name, operator: "null", value: "true" }]]),
    isRanged ? ask([["_aggregate", extentOf(column)]]).then(({ records }) => records) : [],
  ]);
  const least = extent[`min_${name}`] ?? null;
  const greatest = extent[`max_${name}`] ?? null;
  const average = extent[`avg_${name}`];
  const edges = isRanged ? binEdges(column.kind, least, greatest) : undefined;
  return {
    distinct: groups.total - (empty > 0 ? 1 : 0),
    empty,
    top: isRanged ? [] : topOf(groups.records, name),
    bins: edges ? await binsOf(edges, name, groups, countOf) : [],
    average: typeof average === "number" ? average : undefined,
    least,
    greatest,
  };
}

function extentOf({ name, kind }: Column): string {
  return [`min:${name}`, `max:${name}`, ...(kind === "number" ? [`avg:${name}`] : [])].join(",");
}

function topOf(rows: readonly JsonObject[], name: string): Share[] {
  return rows
    .filter((row) => typeof row[name] !== "object")
    .slice(0, MOST_VALUES)
    .map((row) => ({ label: String(row[name]), count: countIn(row), filters: groupFilters(row, [name]) }));
}

async function binsOf(
  edges: Edges,
  name: string,
  groups: Window,
  countOf: (filters: readonly Clause[]) => Promise<number>,
): Promise<Share[]> {
  const ranges = edges.texts.slice(0, -1).map((from, at) => ({
    label: `${from} – ${edges.texts[at + 1]}`,
    filters: [
      [{ path: name, operator: "gte", value: from }],
      [{ path: name, operator: "lt", value: edges.texts[at + 1] as string }],
    ] satisfies Clause[],
  }));
  if (groups.total > groups.records.length) {
    return Promise.all(ranges.map(async (range) => ({ ...range, count: await countOf(range.filters) })));
  }
  const counts = ranges.map(() => 0);
  for (const row of groups.records) {
    const bin = binOf(edges, row[name] ?? null);
    if (bin !== undefined) counts[bin] = (counts[bin] ?? 0) + countIn(row);
  }
  return ranges.map((range, at) => ({ ...range, count: counts[at] ?? 0 }));
}

function countIn({ count }: JsonObject): number {
  return typeof count === "number" ? count : 0;
}
