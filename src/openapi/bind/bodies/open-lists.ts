import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import type { Placed } from "../../../schema/references.ts";
import type { MediaContent } from "../../read/api-document.ts";
import type { SchemaShape, Shapes } from "../schema-shape.ts";
import { isSameNoun, plainName } from "../words.ts";
import { bodySchema } from "./bodies.ts";
import { LIST_NAMES } from "./record-spots.ts";

/** A list in a response whose elements are not described, as in `{ "data": { "type": "array" } }`. */
export interface OpenList {
  /** The response with the schema of a record for the elements. */
  with(record: Placed): MediaContent;
}

/**
 * The list in a body, where nothing tells its elements. Generators that take their word from a test or a call with an
 * empty database write an empty list.
 */
export function openListIn(shapes: Shapes, content: MediaContent | undefined, segment: string): OpenList | undefined {
  const schema = bodySchema(content);
  if (!content || !schema) return undefined;
  const body = shapes.of(schema);
  const { value } = body.schema;
  if (!isJsonObject(value)) return undefined;
  if (isOpenList(shapes, body)) return listIn(content, (record) => withElements(value, record));
  const { properties } = value;
  if (!isJsonObject(properties)) return undefined;
  const name = [...body.properties.keys()].find((key) => {
    const isNamed = isSameNoun(key, segment) || LIST_NAMES.some((names) => names.includes(plainName(key)));
    return isNamed && isOpenList(shapes, shapes.property(body, key));
  });
  const list = name === undefined ? undefined : shapes.property(body, name)?.schema.value;
  if (name === undefined || !isJsonObject(list)) return undefined;
  return listIn(content, (record) => ({
    ...withoutExamples(value),
    properties: { ...properties, [name]: withElements(list, record) },
  }));
}

function isOpenList(shapes: Shapes, shape: SchemaShape | undefined): boolean {
  if (shape?.kind !== "array") return false;
  return !shape.items || shapes.of(shape.items).kind === "unknown";
}

function listIn(content: MediaContent, schemaWith: (record: Json) => JsonObject): OpenList {
  const place = `${content.place}/assumed`;
  return {
    with: ({ value = {} }) => ({ ...content, schema: { value: schemaWith(value), place }, examples: [], place }),
  };
}

function withElements(list: JsonObject, items: Json): JsonObject {
  return { ...withoutExamples(list), items };
}

/** An example of an empty list would be all that the list has. */
function withoutExamples({ example: _, examples: __, ...schema }: JsonObject): JsonObject {
  return schema;
}
