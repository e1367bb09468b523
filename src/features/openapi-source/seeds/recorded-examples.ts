import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import type { BoundOperation } from "../../../openapi/bind/binding.ts";
import type { MediaContent } from "../../../openapi/read/api-document.ts";
import { valueAtPointer } from "../../../schema/pointer.ts";
import type { References } from "../../../schema/references.ts";

/** The records in the examples of a response. */
export function recordsInExamples(references: References, { content, at, wrapper }: BoundOperation): JsonObject[] {
  if (!content || at === undefined) return [];
  return examplesOf(references, content).flatMap((body) => {
    const value = valueAtPointer(body, at);
    const found = Array.isArray(value) ? value.map((one) => valueAtPointer(one, wrapper?.at ?? [])) : [value];
    return found.filter((one) => isJsonObject(one));
  });
}

/** The examples of a body, and those of its schema. */
export function examplesOf(references: References, { examples, schema }: MediaContent): Json[] {
  if (examples.length > 0) return examples.map(({ value }) => value);
  if (!schema) return [];
  const { value } = references.resolve(schema);
  if (!isJsonObject(value)) return [];
  if (value.example !== undefined) return [value.example];
  return Array.isArray(value.examples) ? value.examples : [];
}
