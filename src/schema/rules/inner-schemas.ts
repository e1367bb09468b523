import type { Json, JsonObject } from "../../base/json/json.ts";
import { KEYWORDS } from "./keywords.ts";
import { References, type Schema } from "./schema-references.ts";

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

/** Reads the references of a schema that has been checked. */
export function referencesIn(root: JsonObject): References {
  const references = new References(root);
  const visit = (schema: Schema): void => {
    references.add(schema);
    if (typeof schema === "boolean") return;
    for (const keyword of ["$anchor", "$dynamicAnchor"]) {
      if (typeof schema[keyword] === "string") references.addAnchor(schema[keyword], keyword);
    }
    for (const inner of innerSchemas(schema)) visit(inner);
    for (const definitions of definitionsOf(schema)) for (const inner of Object.values(definitions)) visit(inner);
  };
  visit(root);
  return references;
}

/** The definitions of a schema, under either of their keywords. */
export function definitionsOf({ $defs, definitions }: JsonObject): Readonly<Record<string, Schema>>[] {
  return [$defs, definitions].filter((one) => one !== undefined) as Record<string, Schema>[];
}
