import { ExactNumber } from "../../base/json/exact/exact-number.ts";
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
      const number = inner instanceof ExactNumber ? inner.nearest : inner;
      if (typeof number !== "number") continue;
      const known = sums.get(field);
      if (!known) sums.set(field, { min: number, max: number, sum: number, count: 1 });
      else {
        known.min = Math.min(known.min, number);
        known.max = Math.max(known.max, number);
        known.sum += number;
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
