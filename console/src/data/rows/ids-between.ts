import { formatListQuery, windowPath } from "../list-query.ts";
import { fetchWindow } from "../use-records.ts";
import type { RowToolsOptions } from "./row-tools-options.ts";
import { idOf } from "./selection.ts";

/** A range picks no more records; the box in the head picks all. */
const LONGEST_RANGE = 10_000;

/** The ids of the rows between two, both included, from those at hand or fetched. */
export async function idsBetween(options: RowToolsOptions, from: number, to: number): Promise<string[]> {
  const { collection, idKey, records, query } = options;
  const count = Math.min(Math.abs(to - from) + 1, LONGEST_RANGE);
  const start = from <= to ? from : Math.max(to, from - count + 1);
  const rows = Array.from({ length: count }, (_, offset) => records.at(start + offset));
  if (rows.every((record) => record !== undefined)) return rows.flatMap((record) => idOf(record, idKey) ?? []);
  const text = formatListQuery({ ...query, fields: [idKey], grouping: undefined });
  const fetched = await fetchWindow(windowPath(collection, text, start, count), new AbortController().signal);
  return fetched.records.flatMap((record) => idOf(record, idKey) ?? []);
}
