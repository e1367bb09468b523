import type { JsonObject } from "../../base/json/json.ts";

type ComponentKind = "schemas" | "parameters" | "headers" | "responses";

export function reference(kind: ComponentKind, name: string): JsonObject {
  return { $ref: `#/components/${kind}/${name}` };
}

/** The content of a body that is JSON. */
export function json(schema: JsonObject): { content: JsonObject } {
  return { content: { "application/json": { schema } } };
}

/** The content of a response that is also available as JSONP. */
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
