import type { Json, JsonObject } from "../../base/json/json.ts";
import type { Shape } from "./shape.ts";

/** A shape as JSON Schema (2020-12), for responses: fields that every object has are required. */
export function answerSchema(shape: Shape, describe?: DescribeField): JsonObject {
  return schemaOf(shape, true, describe);
}

/** The same for bodies, where no field is required. */
export function bodySchema(shape: Shape, describe?: DescribeField): JsonObject {
  return schemaOf(shape, false, describe);
}

/** Describes a field of the outermost object. */
type DescribeField = (name: string) => string | undefined;

function schemaOf(shape: Shape, isAnswer: boolean, describe: DescribeField = () => undefined): JsonObject {
  const types: string[] = shape.types;
  // Nothing is known of what was never seen.
  if (types.length === 0) return shape.nulls > 0 ? { type: "null" } : {};
  const isNullable = shape.nulls > 0;
  const all = isNullable ? [...types, "null"] : types;
  const schema: JsonObject = { type: all.length === 1 ? all[0]! : all };
  const { format, choices } = shape;
  if (choices) schema.enum = isNullable ? [...choices, null] : choices;
  else if (format !== undefined) schema.format = format;
  if (shape.items) schema.items = schemaOf(shape.items, isAnswer);
  if (shape.isDictionary) schema.additionalProperties = schemaOf(shape.values, isAnswer);
  else if (shape.objects > 0) Object.assign(schema, propertiesOf(shape, isAnswer, describe));
  return schema;
}

function propertiesOf(shape: Shape, isAnswer: boolean, describe: DescribeField): JsonObject {
  const entries = [...shape.fields].map(([name, field]): [string, Json] => {
    const description = describe(name);
    return [name, { ...schemaOf(field, isAnswer), ...(description === undefined ? {} : { description }) }];
  });
  const required = [...shape.fields.keys()].filter((name) => shape.isRequired(name));
  return {
    properties: Object.fromEntries(entries),
    ...(isAnswer && required.length > 0 ? { required } : {}),
  };
}
