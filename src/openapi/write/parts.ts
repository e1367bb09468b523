import type { JsonObject } from "../../base/json/json.ts";

type ComponentKind = "schemas" | "parameters" | "headers" | "responses";

export const OBJECT: JsonObject = { type: "object" };
export const TEXT: JsonObject = { type: "string" };
export const COUNT: JsonObject = { type: "integer" };

/** An object with these properties, all of them required unless said otherwise. */
export function objectOf(properties: JsonObject, required: readonly string[] = Object.keys(properties)): JsonObject {
  return { ...OBJECT, properties, ...(required.length > 0 && { required: [...required] }) };
}

export function reference(kind: ComponentKind, name: string): JsonObject {
  return { $ref: `#/components/${kind}/${name}` };
}

/** The content of a body that is JSON. */
export function json(schema: JsonObject): { content: JsonObject } {
  return { content: { "application/json": { schema } } };
}

export function listContent(schema: JsonObject): JsonObject {
  return { type: "array", items: schema };
}

/** References to response headers, by their names. */
export function headers(...names: readonly string[]): { headers: JsonObject } {
  return { headers: Object.fromEntries(names.map((name) => [name, reference("headers", name)])) };
}

export function parameters(...names: readonly string[]): JsonObject[] {
  return names.map((name) => reference("parameters", name));
}

export function queryParameter(name: string, description: string, schema: JsonObject = TEXT): JsonObject {
  return { name, in: "query", description, schema };
}
