import { isJsonObject } from "../base/json/json.ts";
import { textOf } from "../query/text.ts";
import type { StoredRecord } from "./stored-record.ts";

/** Whether a record's own field, as text, is this id. */
export function refersTo({ value }: StoredRecord, key: string, id: string): boolean {
  const found = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return found !== undefined && found !== null && textOf(found) === id;
}
