import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import { DataShape, noLimits } from "../../../schema/inference/data-shape.ts";
import { inferredSchema } from "../../../schema/inference/inferred-schema.ts";

/** A field is required if it was in all of at least so many samples. */
const SURE_SAMPLES = 3;
/** The values that a text was met with: more may come, so they are no `enum`. */
export const VALUES = "x-standin-values";

interface SchemaOptions {
  /** The schema of an earlier recording: what it requires needs no further samples. */
  readonly earlier?: Json | undefined;
  /** The samples that tell which fields are always there; all of them unless given. */
  readonly complete?: readonly Json[] | undefined;
}

/** The schema of response bodies or parts of them. A field is required only if several samples prove it. */
export function responseSchema(
  values: readonly Json[],
  { earlier, complete = values }: SchemaOptions = {},
): JsonObject {
  return withProof(inferredSchema(shapeOf(values)), shapeOf(complete), earlier);
}

/** The schema of request bodies: they need have nothing, and may have more. */
export function requestSchema(values: readonly Json[], earlier?: Json): JsonObject {
  const schema = inferredSchema(shapeOf(values), { isPlain: true, isBody: true });
  const known = isJsonObject(earlier) && isJsonObject(earlier.properties) ? earlier.properties : {};
  return isJsonObject(schema.properties) ? { ...schema, properties: { ...known, ...schema.properties } } : schema;
}

function shapeOf(values: readonly Json[]): DataShape {
  const shape = new DataShape();
  const limits = noLimits();
  for (const value of values) shape.add(value, limits);
  return shape;
}

/** Leaves out what too few samples require, and turns choices into values that were met. */
function withProof(schema: JsonObject, shape: DataShape | undefined, earlier: Json | undefined): JsonObject {
  const { required, properties, items, enum: choices, ...rest } = schema;
  const before = isJsonObject(earlier) ? earlier : {};
  const proven: JsonObject = { ...rest };
  if (Array.isArray(choices)) proven[VALUES] = choices.filter((one) => one !== null);
  if (isJsonObject(items)) proven.items = withProof(items, shape?.items, before.items);
  if (!isJsonObject(properties)) return proven;
  const known = isJsonObject(before.properties) ? before.properties : {};
  proven.properties = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      withProof(isJsonObject(property) ? property : {}, shape?.fields.get(name), known[name]),
    ]),
  );
  const was = Array.isArray(before.required) ? before.required : [];
  const count = shape?.objects ?? 0;
  const isSure = (name: string): boolean => {
    if (count === 0) return was.includes(name);
    return shape?.isRequired(name) === true && (count >= SURE_SAMPLES || was.includes(name));
  };
  const sure = Object.keys(properties).filter(isSure);
  if (sure.length > 0) proven.required = sure;
  return proven;
}

/** A schema with another one at a place in its bodies. */
export function withSchemaAt(schema: JsonObject, [name, ...path]: readonly string[], inner: JsonObject): JsonObject {
  if (name === undefined) return inner;
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const held = properties[name];
  const below = withSchemaAt(isJsonObject(held) ? held : { type: "object" }, path, inner);
  return { ...schema, properties: { ...properties, [name]: below } };
}
