import type { Json } from "../base/json/json.ts";

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

/**
 * Maps letters that some pattern takes for the same, whatever their case, to the same text: the long s to s, a final sigma
 * to sigma, a capital sharp s to ss.
 */
export function foldCase(text: string): string {
  // The lower case of a sigma depends on its place.
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll("\u03c2", "\u03c3");
}
