import { isJsonObject, type Json } from "../../../base/json/json.ts";
import { compileParts } from "../../rules/compile-rules.ts";
import type { CollectionRules } from "../../rules/rules.ts";
import { UNSURE } from "./constraints.ts";
import { type SchemaNode, within } from "./schema-tree.ts";

const CHECKED = new Set([...UNSURE, "contains"]);

/** Whether a value passes the schema at a place. */
export type Passes = (node: SchemaNode, value: Json) => boolean;

/**
 * Creates checks of the schemas inside a collection's schema that values are not simply made for, and of the fields named.
 * Other schemas pass: the whole record is judged in the end.
 */
export async function createChecks(rules: CollectionRules, fields: readonly string[]): Promise<Passes> {
  const places = new Set([...placesIn(rules.schema, ""), ...fields.map((field) => within("/properties", field))]);
  if (places.size === 0) return () => true;
  const passes = await compileParts(rules);
  return ({ at }, value) => !places.has(at) || passes(at, value);
}

function* placesIn(schema: Json, at: string): Generator<string> {
  if (Array.isArray(schema)) {
    for (const [position, part] of schema.entries()) yield* placesIn(part, within(at, String(position)));
  } else if (isJsonObject(schema)) {
    if (at !== "" && Object.keys(schema).some((keyword) => CHECKED.has(keyword))) yield at;
    for (const [key, part] of Object.entries(schema)) {
      if (key === "propertyNames") yield within(at, key);
      yield* placesIn(part, within(at, key));
    }
  }
}
