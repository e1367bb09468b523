import type { SchemaShape, Shapes } from "../schema-shape.ts";

/** The `attributes` of a resource of JSON:API, which has its fields there beside its `type` and its id. */
export function attributesOf(shapes: Shapes, record: SchemaShape): SchemaShape | undefined {
  const attributes = record.properties.has("type") ? shapes.property(record, "attributes") : undefined;
  return attributes?.kind === "object" ? attributes : undefined;
}
