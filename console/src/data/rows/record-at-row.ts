import type { JsonObject } from "../../api/json.ts";
import type { RecordWindows } from "../record-windows.ts";
import { idOf } from "./selection.ts";

/** So far from its row a record that has moved is looked for. */
const NEAR = 200;

/** A record, and the row at which it was. */
export interface RecordAtRow {
  readonly row: number;
  readonly record: JsonObject;
}

/** The row at which a record is now; undefined if it is not near. */
export function rowOf({ row, record }: RecordAtRow, records: RecordWindows, idKey: string): number | undefined {
  const id = idOf(record, idKey);
  for (let distance = 0; distance <= NEAR; distance++) {
    for (const near of [row + distance, row - distance]) if (idOf(records.at(near), idKey) === id) return near;
  }
  return undefined;
}
