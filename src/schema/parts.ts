import { isJsonObject, type JsonObject } from "../base/json/json.ts";
import { within } from "./pointer.ts";
import type { Placed, References } from "./references.ts";

/**
 * The schemas that judge the same value, each once: one itself, what references lead to, and the parts under these
 * keywords. `allOf` alone gives the parts that hold without a condition.
 */
export function partsOf(
  schema: Placed,
  references: References,
  keywords: readonly ("allOf" | "anyOf" | "oneOf")[] = ["allOf"],
): Placed<JsonObject>[] {
  const found = new Map<JsonObject, Placed<JsonObject>>();
  const visit = (given: Placed): void => {
    const { value, place } = given;
    if (!isJsonObject(value) || found.has(value)) return;
    found.set(value, { value, place });
    if (typeof value.$ref === "string") visit(references.follow(given));
    for (const keyword of keywords) {
      const list = value[keyword];
      if (!Array.isArray(list)) continue;
      for (const [at, part] of list.entries()) visit({ value: part, place: within(`${place}/${keyword}`, at) });
    }
  };
  visit(schema);
  return [...found.values()];
}
