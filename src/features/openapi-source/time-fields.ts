import type { Json } from "../../base/json/json.ts";
import type { Placed, References } from "../../schema/references.ts";
import { keyword, typesOf } from "./schema-fields.ts";

/** Writes a time as a schema wants it: as a text, a date, or seconds or milliseconds since 1970. */
export type WriteTime = (ms: number) => Json;

export function timeWriter(references: References, schema: Placed): WriteTime | undefined {
  const types = typesOf(references, schema);
  const format = keyword(references, schema, "format");
  if (types.includes("string")) {
    if (format === "date") return (ms) => new Date(ms).toISOString().slice(0, 10);
    return format === "date-time" ? (ms) => new Date(ms).toISOString() : undefined;
  }
  if (!types.includes("integer") && !types.includes("number")) return undefined;
  return format === "int64" ? (ms) => ms : (ms) => Math.floor(ms / 1000);
}
