import { isJsonObject, type Json } from "../../base/json/json.ts";

/** The value of an example that is written as JSON text, unless its schema is of texts. */
export function valueOfText(schema: Json | undefined, example: Json): Json {
  if (typeof example !== "string" || !/^\s*[[{]/.test(example)) return example;
  if (isJsonObject(schema) && [schema.type].flat().includes("string")) return example;
  try {
    return JSON.parse(example) as Json;
  } catch {
    return example;
  }
}
