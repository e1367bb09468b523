import type { Json } from "../json.ts";

/**
 * The text form of a value, which 0.17 compares: numbers and booleans as JavaScript formats them, arrays joined by commas,
 * any object as `[object Object]`. Never calls into the data, so a field named `toString` does no harm.
 */
export function textOf(value: Json): string {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
    case "boolean":
      return String(value);
    default:
      if (value === null) return "";
      return Array.isArray(value) ? value.map(textOf).join(",") : "[object Object]";
  }
}
