import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import { partsOf } from "../../schema/parts.ts";
import { within } from "../../schema/pointer.ts";
import type { Placed, References } from "../../schema/references.ts";

/** The types that a schema allows, as far as they decide how a text is read. */
export interface TextShape {
  /** Empty where any type is allowed. */
  readonly types: ReadonlySet<string>;
  readonly items: TextShape | undefined;
  readonly properties: ReadonlyMap<string, TextShape>;
}

const ANY: TextShape = { types: new Set(), items: undefined, properties: new Map() };
/** Deeper values do not come as text. */
const MAX_DEPTH = 4;

/** Reads the shape of a schema, with all parts that judge the same value. */
export function shapeOf(schema: Placed | undefined, references: References, depth = 0): TextShape {
  if (schema === undefined || depth > MAX_DEPTH) return ANY;
  const types = new Set<string>();
  const properties = new Map<string, TextShape>();
  let items: TextShape | undefined;
  for (const { value, place } of partsOf(schema, references, ["allOf", "oneOf", "anyOf"])) {
    for (const type of [value.type].flat()) if (typeof type === "string") types.add(type);
    if (value.nullable === true) types.add("null");
    if (isJsonObject(value.properties)) {
      types.add("object");
      for (const [name, inner] of Object.entries(value.properties)) {
        const at = within(`${place}/properties`, name);
        if (!properties.has(name)) properties.set(name, shapeOf({ value: inner, place: at }, references, depth + 1));
      }
    }
    if (value.items !== undefined) {
      types.add("array");
      items ??= shapeOf({ value: value.items, place: `${place}/items` }, references, depth + 1);
    }
    if (types.size === 0) for (const one of fixedValues(value)) types.add(typeName(one));
  }
  return { types, items, properties };
}

function fixedValues({ enum: list, const: one }: JsonObject): readonly Json[] {
  if (Array.isArray(list)) return list;
  return one === undefined ? [] : [one];
}

function typeName(value: Json): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
