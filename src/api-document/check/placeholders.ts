import type { JsonObject } from "../../json.ts";

const made: JsonObject[] = [];
const known = new WeakSet<object>();

/**
 * Elements for a list whose real ones were checked before: each passes every schema of an element, so that checking a body
 * with them checks the envelope alone.
 */
export function placeholders(count: number): JsonObject[] {
  while (made.length < count) {
    const element: JsonObject = { placeholder: made.length };
    known.add(element);
    made.push(element);
  }
  return made.slice(0, count);
}

export function isPlaceholder(value: unknown): boolean {
  return typeof value === "object" && value !== null && known.has(value);
}
