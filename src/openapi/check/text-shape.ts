import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import { within } from "../../schema/pointer.ts";
import { type Placed, partsOf, type References } from "../../schema/references.ts";

/** The types that a schema allows, as far as they decide how a text is read. Inner shapes are read on demand. */
export interface TextShape {
  /** Empty where any type is allowed. */
  readonly types: ReadonlySet<string>;
  readonly items: TextShape | undefined;
  readonly properties: InnerShapes;
  /** Of properties that the schema does not name. */
  readonly others: TextShape | undefined;
  /** The values that it names; empty where it names none. */
  readonly named: readonly Json[];
}

/** The shapes of an object's properties. */
export interface InnerShapes {
  readonly size: number;
  has(name: string): boolean;
  get(name: string): TextShape | undefined;
  keys(): Iterable<string>;
}

export const ANY_SHAPE: TextShape = {
  types: new Set(),
  items: undefined,
  properties: new Map(),
  others: undefined,
  named: [],
};

/** Schemas belong to one document, so their shapes can be kept for as long as they are. */
const known = new WeakMap<object, TextShape>();

/** Reads the shape of a schema, with all parts that judge the same value. */
export function shapeOf(schema: Placed | undefined, references: References): TextShape {
  if (!schema || !isJsonObject(schema.value)) return ANY_SHAPE;
  let shape = known.get(schema.value);
  if (!shape) {
    shape = readShape(schema, references);
    known.set(schema.value, shape);
  }
  return shape;
}

function readShape(schema: Placed, references: References): TextShape {
  const types = new Set<string>();
  const properties = new Map<string, Placed>();
  const named: Json[] = [];
  let items: Placed | undefined;
  let others: Placed | undefined;
  for (const { value, place } of partsOf(schema, references, ["allOf", "oneOf", "anyOf"])) {
    for (const type of [value.type].flat()) if (typeof type === "string") types.add(type);
    if (value.nullable === true) types.add("null");
    if (isJsonObject(value.properties)) {
      types.add("object");
      for (const [name, inner] of Object.entries(value.properties)) {
        if (!properties.has(name)) properties.set(name, { value: inner, place: within(`${place}/properties`, name) });
      }
    }
    if (isJsonObject(value.additionalProperties)) {
      types.add("object");
      others ??= { value: value.additionalProperties, place: `${place}/additionalProperties` };
    }
    if (value.items !== undefined) {
      types.add("array");
      items ??= { value: value.items, place: `${place}/items` };
    }
    const fixed = fixedValues(value);
    named.push(...fixed);
    if (value.type === undefined) for (const one of fixed) types.add(typeName(one));
  }
  const inner = (found: Placed | undefined): TextShape | undefined => found && shapeOf(found, references);
  return {
    types,
    named,
    get items() {
      return inner(items);
    },
    get others() {
      return inner(others);
    },
    properties: {
      size: properties.size,
      has: (name) => properties.has(name),
      get: (name) => inner(properties.get(name)),
      keys: () => properties.keys(),
    },
  };
}

function fixedValues({ enum: list, const: one }: JsonObject): readonly Json[] {
  if (Array.isArray(list)) return list;
  return one === undefined ? [] : [one];
}

function typeName(value: Json): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
