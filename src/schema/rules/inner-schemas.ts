import type { Json, JsonObject } from "../../base/json/json.ts";
import type { Schema } from "../references.ts";
import { KEYWORDS } from "./keywords.ts";

/** Replaces the schemas directly inside a schema. Those of definitions are left as they are. */
export function mapInnerSchemas(schema: JsonObject, map: (inner: Schema) => Json): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]): [string, Json] => {
      const form = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
      if (form === "schema") return [keyword, map(value as Schema)];
      if (form === "schema list") return [keyword, (value as Schema[]).map(map)];
      if (form !== "schema map") return [keyword, value];
      const entries = Object.entries(value as Record<string, Schema>);
      return [keyword, Object.fromEntries(entries.map(([name, inner]) => [name, map(inner)]))];
    }),
  );
}

/** Lists the schemas directly inside a schema, without definitions. */
export function innerSchemas(schema: JsonObject): Schema[] {
  const found: Schema[] = [];
  mapInnerSchemas(schema, (inner) => {
    found.push(inner);
    return inner;
  });
  return found;
}

/** The definitions of a schema, under either of their keywords. */
export function definitionsOf({ $defs, definitions }: JsonObject): Readonly<Record<string, Schema>>[] {
  return [$defs, definitions].filter((one) => one !== undefined) as Record<string, Schema>[];
}

/** The keywords whose schemas apply to the same value as the one they stand in. */
const BESIDE = new Set(["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"]);

/** Replaces the schemas that apply to the same value, those of references apart. */
export function mapBeside(schema: JsonObject, map: (inner: Schema) => Schema): JsonObject {
  const entries = Object.entries(schema);
  const others = entries.filter(([keyword]) => !BESIDE.has(keyword));
  const beside = Object.fromEntries(entries.filter(([keyword]) => BESIDE.has(keyword)));
  return { ...Object.fromEntries(others), ...mapInnerSchemas(beside, map) };
}

/** Lists the schemas that apply to the same value, one step away. */
export function schemasBeside(schema: JsonObject, resolve: (ref: string) => Schema): Schema[] {
  const found = [schema.$ref, schema.$dynamicRef].flatMap((ref) => (typeof ref === "string" ? [resolve(ref)] : []));
  mapBeside(schema, (inner) => {
    found.push(inner);
    return inner;
  });
  return found;
}

/** The names of the fields that a schema, or one that applies to the same value, speaks about. */
export function fieldNamesIn(schema: JsonObject, resolve: (ref: string) => Schema): Set<string> {
  const names = new Set<string>();
  const visit = (one: Schema): void => {
    if (typeof one === "boolean") return;
    for (const name of Object.keys((one.properties ?? {}) as JsonObject)) names.add(name);
    for (const inner of schemasBeside(one, resolve)) visit(inner);
  };
  visit(schema);
  return names;
}
