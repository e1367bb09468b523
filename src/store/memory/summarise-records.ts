import { isJsonObject } from "../../base/json/json.ts";
import { STEP, type Work } from "../../base/slices.ts";
import type { Statistics } from "../store.ts";
import type { StoredRecord } from "../stored-record.ts";

/** Counts the records, and computes the minimum, maximum and mean of each numeric field. */
export function* summariseRecords(records: readonly StoredRecord[]): Work<Statistics> {
  const sums = new Map<string, { min: number; max: number; sum: number; count: number }>();
  for (const [at, { value }] of records.entries()) {
    if (at % STEP === 0) yield;
    if (!isJsonObject(value)) continue;
    for (const [field, inner] of Object.entries(value)) {
      if (typeof inner !== "number") continue;
      const known = sums.get(field);
      if (!known) sums.set(field, { min: inner, max: inner, sum: inner, count: 1 });
      else {
        known.min = Math.min(known.min, inner);
        known.max = Math.max(known.max, inner);
        known.sum += inner;
        known.count++;
      }
    }
  }
  const fields: Statistics["fields"] = {};
  for (const [field, { min, max, sum, count }] of sums) {
    Object.defineProperty(fields, field, { value: { min, max, mean: sum / count }, enumerable: true });
  }
  return { count: records.length, fields };
}
