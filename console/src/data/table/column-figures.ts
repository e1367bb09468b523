import type { Json, JsonObject } from "../../api/json.ts";
import { formatParameters } from "../../api/parameters.ts";
import type { Clause } from "../condition.ts";
import { groupFilters } from "../grouping.ts";
import { formatListQuery, type ListQuery, listPath } from "../list-query.ts";
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
 * Asks the server about the values of a column among the records of a list, and shows what is known so far: three requests,
 * and one for each bin if there are many different values. Each waits for the one before, so that other clients of the
 * server hardly notice.
 */
export async function loadFigures(
  fetchRows: FetchRows,
  { collection, column, query }: { collection: string; column: Column; query: ListQuery },
  show: (figures: Figures) => void,
): Promise<void> {
  const { name } = column;
  const list: ListQuery = { ...query, sort: [], fields: undefined, grouping: undefined };
  const ask = (added: [string, string][], filters: readonly Clause[] = []): Promise<Window> => {
    const filtered = formatListQuery({ ...list, filters: [...list.filters, ...filters] });
    return fetchRows(listPath(collection, filtered, formatParameters(added)));
  };
  const countOf = async (filters: readonly Clause[]): Promise<number> => (await ask([["_limit", "1"]], filters)).total;
  const empty = await countOf([[{ path: name, operator: "null", value: "true" }]]);
  if (!isRanged(column)) {
    const groups = await ask([
      ["_group", name],
      ["_sort", "-count"],
      ["_limit", String(MOST_VALUES + 1)],
    ]);
    show({ ...NO_FIGURES, distinct: distinctOf(groups, empty), empty, top: topOf(groups.records, name) });
    return;
  }
  const [extent = {}] = (await ask([["_aggregate", extentOf(column)]])).records;
  const groups = await ask([
    ["_group", name],
    ["_limit", String(MOST_GROUPS)],
  ]);
  const least = extent[`min_${name}`] ?? null;
  const greatest = extent[`max_${name}`] ?? null;
  const average = typeof extent[`avg_${name}`] === "number" ? Number(extent[`avg_${name}`]) : undefined;
  const figures = { ...NO_FIGURES, distinct: distinctOf(groups, empty), empty, average, least, greatest };
  show(figures);
  const edges = binEdges(column.kind, least, greatest);
  if (edges) show({ ...figures, bins: await binsOf(edges, name, groups, countOf) });
}

const NO_FIGURES: Figures = {
  distinct: 0,
  empty: 0,
  top: [],
  bins: [],
  average: undefined,
  least: null,
  greatest: null,
};

/** Whether values of a column have an order and a distance. */
export function isRanged({ kind }: Column): boolean {
  return kind === "number" || kind === "date" || kind === "date-time";
}

/** Records without a value are a group, too. */
function distinctOf({ total }: Window, empty: number): number {
  return total - (empty > 0 ? 1 : 0);
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
    const bins: Share[] = [];
    for (const range of ranges) bins.push({ ...range, count: await countOf(range.filters) });
    return bins;
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
