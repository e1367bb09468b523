import type { Json, JsonObject } from "../api/json.ts";
import type { Clause } from "./condition.ts";
import { aggregateColumn, type BucketKind, type Grouping, groupFilters } from "./grouping.ts";

/** Groups of values put together: days into a day, month or year, lists by their elements. */
export function bucketed(rows: readonly JsonObject[], grouping: Grouping): readonly JsonObject[] {
  const { by, fields } = grouping;
  const [field = ""] = fields;
  if (by === undefined) return rows;
  const buckets = new Map<string, Bucket>();
  for (const row of rows) {
    for (const key of keysOf(row[field], by)) {
      const bucket = buckets.get(key) ?? new Bucket();
      buckets.set(key, bucket);
      bucket.add(row, grouping);
    }
  }
  const column = aggregateColumn(grouping);
  const found = [...buckets].map(([key, bucket]) => ({ [field]: key, [column]: bucket.value(grouping) }));
  const sizeIn = (row: JsonObject): number => Number(row[column] ?? 0);
  if (by === "element") return found.toSorted((a, b) => sizeIn(b) - sizeIn(a));
  return found.toSorted((a, b) => (String(a[field]) < String(b[field]) ? -1 : 1));
}

const LENGTHS = { day: 10, month: 7, year: 4 } as const;

function keysOf(value: Json | undefined, by: BucketKind): readonly string[] {
  if (by === "element") return Array.isArray(value) ? [...new Set(value.filter(isPlain).map(String))] : [];
  return typeof value === "string" && /^\d{4}-\d\d-\d\d/.test(value) ? [value.slice(0, LENGTHS[by])] : [];
}

function isPlain(value: Json): boolean {
  return typeof value !== "object";
}

/** The aggregate of several groups. */
class Bucket {
  #count = 0;
  #sum = 0;
  #least: number | undefined;
  #greatest: number | undefined;

  add(row: JsonObject, grouping: Grouping): void {
    const value = row[aggregateColumn(grouping)];
    if (typeof value !== "number") return;
    // An average counts as often as it has records.
    const weight = grouping.kind === "avg" ? Number(row.count ?? 1) : 1;
    this.#count += weight;
    this.#sum += value * weight;
    this.#least = Math.min(this.#least ?? value, value);
    this.#greatest = Math.max(this.#greatest ?? value, value);
  }

  value({ kind }: Grouping): Json {
    if (kind === "min") return this.#least ?? null;
    if (kind === "max") return this.#greatest ?? null;
    return kind === "avg" ? (this.#count === 0 ? null : this.#sum / this.#count) : this.#sum;
  }
}

/** The filters for the records of a group or bucket; undefined where no filter can name it. */
export function rowFilters(row: JsonObject, { fields, by }: Grouping): Clause[] | undefined {
  const [path = ""] = fields;
  if (by === undefined || by === "element") return groupFilters(row, fields);
  const from = String(row[path]);
  return [[{ path, operator: "gte", value: from }], [{ path, operator: "lt", value: nextText(from) }]];
}

/** The year, month or day behind one. */
function nextText(text: string): string {
  const [year = 0, month, day] = text.split("-").map(Number);
  const parts = text.split("-").length;
  const next = new Date(Date.UTC(year, (month ?? 1) - 1, day ?? 1));
  if (parts === 1) next.setUTCFullYear(year + 1);
  else if (parts === 2) next.setUTCMonth(next.getUTCMonth() + 1);
  else next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString().slice(0, text.length);
}
