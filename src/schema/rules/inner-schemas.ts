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
