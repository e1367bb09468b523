import { isJsonObject, type Json } from "../../base/json/json.ts";

/** Objects with fewer values may be as empty as that. */
const MIN_VALUES = 3;

/** Whether an example tells something: generators write ones whose texts are empty and whose numbers are 0. */
export function isTelling(example: Json): boolean {
  if (!isJsonObject(example)) return true;
  const values = Object.values(example);
  return values.length < MIN_VALUES || values.some(tells);
}

/** A time is that at which the document was made, and a flag may be set in all. */
function tells(value: Json): boolean {
  if (typeof value === "string") return value !== "" && !/^\d{4}-\d\d-\d\d[T ]/.test(value);
  return typeof value === "object" ? value !== null : typeof value === "number" && value !== 0;
}
