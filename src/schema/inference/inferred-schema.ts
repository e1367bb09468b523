import { type Json, type JsonObject, setField } from "../../base/json/json.ts";
import { DataShape, noLimits } from "./data-shape.ts";
import { FILE_SCHEMA, isFileShape } from "./file-shape.ts";

export interface InferredOptions {
  /** Adds the ranges of numbers, of the lengths of texts and of the sizes of lists. */
  readonly ranges?: boolean;
  /** Fields of the records whose values new records must be free to exceed: ids, and references to them. */
  readonly keys?: ReadonlySet<string>;
  /** Adds a pattern where all texts are colours such as `#4f46e5`. */
  readonly colours?: boolean;
  /** Says nothing about texts but that they are: no formats and no choices. */
  readonly isPlain?: boolean;
  /** Requires no field, for bodies. */
  readonly isBody?: boolean;
  /** Describes a field of the outermost object. */
  readonly describe?: (name: string) => string | undefined;
  /** Stands for stored files, in place of the schema of their objects. */
  readonly file?: JsonObject;
}

/** A JSON Schema (2020-12) that every value met passes. */
export function inferredSchema(shape: DataShape, options: InferredOptions = {}): JsonObject {
  const types: string[] = shape.types;
  const [type] = types;
  // Nothing is known of values that were always null, or never met.
  if (type === undefined) return {};
  if (shape.nulls > 0) types.push("null");
  if (type === "object" && isFileShape(shape)) return fileSchema(types, options.file);
  const schema: JsonObject = { type: types.length === 1 ? type : types };
  const choices = options.isPlain ? undefined : shape.choices;
  const format = options.isPlain ? undefined : shape.format;
  if (choices) schema.enum = shape.nulls > 0 ? [...choices, null] : choices;
  else if (format !== undefined) schema.format = format;
  if (options.colours && shape.isColour) schema.pattern = "^#[0-9a-f]{6}$";
  if (options.ranges) Object.assign(schema, rangesOf(shape, choices !== undefined || format !== undefined));
  // Left out at one place and met at another under the same name: its values are known only in part.
  if (shape.isMerged && shape.isPartial) return schema;
  const { keys: _, describe: __, ...inside } = options;
  if (shape.items && shape.items.count > 0) schema.items = inferredSchema(shape.items, inside);
  if (shape.isDictionary) schema.additionalProperties = inferredSchema(shape.values, inside);
  else if (shape.fields.size > 0) Object.assign(schema, propertiesOf(shape, options, inside));
  return schema;
}

/** A range or choice seen in some files says nothing about others. */
function fileSchema(types: readonly string[], file: JsonObject = FILE_SCHEMA): JsonObject {
  const others = types.filter((type) => type !== "object").map((type) => ({ type }));
  return others.length === 0 ? file : { anyOf: [file, ...others] };
}

/** The schema of values that are at hand. */
export function schemaOfValues(values: Iterable<Json>, options: InferredOptions): JsonObject {
  const shape = new DataShape();
  const limits = noLimits();
  for (const value of values) shape.add(value, limits);
  return inferredSchema(shape, options);
}

function rangesOf({ numbers, lengths, sizes }: DataShape, hasTextRule: boolean): JsonObject {
  return {
    ...(numbers.least <= numbers.greatest && { minimum: numbers.least, maximum: numbers.greatest }),
    ...(lengths.least <= lengths.greatest && !hasTextRule && { minLength: lengths.least, maxLength: lengths.greatest }),
    ...(sizes.least <= sizes.greatest && { minItems: sizes.least, maxItems: sizes.greatest }),
  };
}

function propertiesOf(shape: DataShape, { keys, describe }: InferredOptions, inside: InferredOptions): JsonObject {
  const properties: JsonObject = {};
  for (const [name, field] of shape.fields) {
    const schema = inferredSchema(field, keys?.has(name) ? { ...inside, ranges: false } : inside);
    const description = describe?.(name);
    setField(properties, name, description === undefined ? schema : { ...schema, description });
  }
  const required = inside.isBody ? [] : [...shape.fields.keys()].filter((name) => shape.isRequired(name));
  return { ...(required.length > 0 && { required }), properties };
}
