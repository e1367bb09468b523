import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import { within } from "../../schema/pointer.ts";
import type { Placed, References } from "../../schema/references.ts";

/** The outline of a schema: enough to tell records, lists and envelopes apart. */
export interface SchemaShape {
  readonly schema: Placed;
  /** `mixed`: an object or something else. `unknown`: it says nothing. */
  readonly kind: "object" | "array" | "scalar" | "mixed" | "unknown";
  /** Of scalars: their types; empty where it is not said. */
  readonly types: ReadonlySet<string>;
  readonly format: string | undefined;
  readonly properties: ReadonlyMap<string, Placed>;
  readonly required: ReadonlySet<string>;
  readonly items: Placed | undefined;
  readonly isReadOnly: boolean;
  /** Of `oneOf` and `anyOf`: the places of their schemas. */
  readonly branches: readonly string[];
  /** Of a shared schema: its name, such as `Pet`. */
  readonly name: string | undefined;
}

const SCALARS = ["string", "number", "integer", "boolean"];
/** Reads outlines of schemas, each once. */
export class Shapes {
  readonly #references: References;
  readonly #known = new WeakMap<object, SchemaShape>();
  readonly #inResponses = new WeakMap<SchemaShape, SchemaShape>();

  constructor(references: References) {
    this.#references = references;
  }

  of(schema: Placed): SchemaShape {
    const resolved = this.#references.follow(schema);
    if (!isJsonObject(resolved.value)) return unknown(resolved);
    const known = this.#known.get(resolved.value);
    if (known) return known;
    const shape = this.#read(resolved as Placed<JsonObject>, new Map());
    this.#known.set(resolved.value, shape);
    return shape;
  }

  /** Without the properties that only requests have. */
  inResponses(shape: SchemaShape): SchemaShape {
    const known = this.#inResponses.get(shape);
    if (known) return known;
    const isShown = (property: Placed): boolean => {
      const { value } = this.#references.follow(property);
      return !isJsonObject(value) || value.writeOnly !== true;
    };
    const shown = [...shape.properties].filter(([, property]) => isShown(property));
    const bare = shown.length === shape.properties.size ? shape : { ...shape, properties: new Map(shown) };
    this.#inResponses.set(shape, bare);
    return bare;
  }

  /** Whether values can be compared with those of a path or a query: a text or a number, at least as an alternative. */
  isComparable(shape: SchemaShape, name: string): boolean {
    const property = this.property(shape, name);
    if (!property) return false;
    const { kind, types } = property;
    return kind === "scalar" || kind === "unknown" || (kind === "mixed" && types.size > 0);
  }

  isListOfScalars(shape: SchemaShape, name: string): boolean {
    const items = this.property(shape, name)?.items;
    return items !== undefined && this.of(items).kind === "scalar";
  }

  /** Whether it is an object or a list; most properties are neither, and are told so without reading more. */
  isInner(schema: Placed): boolean {
    const { value } = schema;
    if (!isJsonObject(value) || (typeof value.type === "string" && SCALARS.includes(value.type))) return false;
    const { kind } = this.of(schema);
    return kind === "array" || kind === "object" || kind === "mixed";
  }

  /** A part that leads back to the whole adds nothing to it, so each is read once on the way. */
  #part(schema: Placed, passed: Map<object, SchemaShape>): SchemaShape {
    const resolved = this.#references.follow(schema);
    const { value } = resolved;
    if (!isJsonObject(value)) return unknown(resolved);
    return this.#known.get(value) ?? passed.get(value) ?? this.#read(resolved as Placed<JsonObject>, passed);
  }

  /** The shape of a property; undefined where there is no such. */
  property(shape: SchemaShape, name: string): SchemaShape | undefined {
    const found = shape.properties.get(name);
    return found && this.of(found);
  }

  /** The shape of a property of properties. */
  inside(shape: SchemaShape, path: readonly string[]): SchemaShape | undefined {
    let found: SchemaShape | undefined = shape;
    for (const name of path) found = found && this.property(found, name);
    return found;
  }

  #read(schema: Placed<JsonObject>, passed: Map<object, SchemaShape>): SchemaShape {
    passed.set(schema.value, unknown(schema));
    const shape = this.#readParts(schema, passed);
    passed.set(schema.value, shape);
    return shape;
  }

  #readParts(schema: Placed<JsonObject>, passed: Map<object, SchemaShape>): SchemaShape {
    const { value, place } = schema;
    const own = ownShape(value, place);
    const all = parts(value.allOf, place, "allOf").map((part) => this.#part(part, passed));
    const branches = [...parts(value.oneOf, place, "oneOf"), ...parts(value.anyOf, place, "anyOf")];
    if (all.length === 0 && branches.length === 0) return own;
    const telling = all.filter(({ kind, required }) => kind !== "unknown" || required.size > 0);
    const [only = all[0]] = telling;
    // `allOf` around one reference adds a description at most.
    if (only && telling.length <= 1 && own.kind === "unknown" && branches.length === 0) return only;
    const either = branches.filter((part) => !isNull(part.value)).map((part) => this.#part(part, passed));
    const [first, second] = either;
    if (first && !second && own.kind === "unknown" && all.length === 0) return first;
    const joined = [own, ...all, ...(first ? [union(schema, first, either)] : [])];
    const places = either.map((branch) => branch.schema.place);
    return { ...intersection(schema, joined), isReadOnly: own.isReadOnly, branches: places };
  }
}

function ownShape(value: JsonObject, place: string): SchemaShape {
  const types = (Array.isArray(value.type) ? value.type : [value.type]).filter(
    (type): type is string => typeof type === "string" && type !== "null",
  );
  const properties = new Map<string, Placed>();
  if (isJsonObject(value.properties)) {
    for (const [name, property] of Object.entries(value.properties)) {
      properties.set(name, new Property(property, place, name));
    }
  }
  const items = value.items === undefined ? undefined : { value: value.items, place: within(place, "items") };
  return {
    ...unknown({ value, place }),
    kind: kindOf(types, value, { hasItems: items !== undefined, hasProperties: properties.size > 0 }),
    types: new Set(types.filter((type) => SCALARS.includes(type))),
    format: typeof value.format === "string" ? value.format : undefined,
    properties,
    required: new Set(Array.isArray(value.required) ? value.required.filter((name) => typeof name === "string") : []),
    items,
    isReadOnly: value.readOnly === true,
  };
}

/** Computes its place on demand, as there are very many. */
class Property implements Placed {
  readonly value: Json;
  readonly #parent: string;
  readonly #name: string;

  constructor(value: Json, parent: string, name: string) {
    this.value = value;
    this.#parent = parent;
    this.#name = name;
  }

  get place(): string {
    return within(within(this.#parent, "properties"), this.#name);
  }
}

function kindOf(
  types: readonly string[],
  value: JsonObject,
  { hasItems, hasProperties }: { readonly hasItems: boolean; readonly hasProperties: boolean },
): SchemaShape["kind"] {
  if (types.length === 0) {
    if (hasProperties || isJsonObject(value.additionalProperties)) return "object";
    if (hasItems) return "array";
    return value.enum !== undefined || value.const !== undefined || value.format !== undefined ? "scalar" : "unknown";
  }
  if (types.every((type) => SCALARS.includes(type))) return "scalar";
  if (types.length > 1) return "mixed";
  return types[0] === "object" || types[0] === "array" ? types[0] : "unknown";
}

function unknown(schema: Placed): SchemaShape {
  return {
    schema,
    kind: "unknown",
    types: new Set(),
    format: undefined,
    properties: new Map(),
    required: new Set(),
    items: undefined,
    isReadOnly: false,
    branches: [],
    name: nameOf(schema.place),
  };
}

/** All of them hold. */
function intersection(schema: Placed, shapes: readonly SchemaShape[]): SchemaShape {
  const known = shapes.filter(({ kind }) => kind !== "unknown");
  return {
    ...joined(schema, shapes),
    kind: known.find(({ kind }) => kind !== "mixed")?.kind ?? known[0]?.kind ?? "unknown",
    format: known.find(({ format }) => format !== undefined)?.format,
    required: new Set(shapes.flatMap(({ required }) => [...required])),
  };
}

/** One of them holds. */
function union(schema: Placed, first: SchemaShape, shapes: readonly SchemaShape[]): SchemaShape {
  return {
    ...joined(schema, shapes),
    kind: shapes.every(({ kind }) => kind === first.kind) ? first.kind : "mixed",
    required: new Set([...first.required].filter((name) => shapes.every(({ required }) => required.has(name)))),
  };
}

function joined(schema: Placed, shapes: readonly SchemaShape[]): SchemaShape {
  return {
    ...unknown(schema),
    types: new Set(shapes.flatMap(({ types }) => [...types])),
    properties: new Map(shapes.flatMap(({ properties }) => [...properties])),
    items: shapes.find(({ items }) => items)?.items,
  };
}

function parts(list: Json | undefined, place: string, key: string): Placed[] {
  if (!Array.isArray(list)) return [];
  return list.map((value, position) => ({ value, place: within(within(place, key), position) }));
}

function isNull(value: Json | undefined): boolean {
  return isJsonObject(value) && (value.type === "null" || value.const === null);
}

/** `#/components/schemas/Pet` -> Pet; other places have no name. */
function nameOf(place: string): string | undefined {
  const name = /#\/(?:components\/schemas|definitions|\$defs)\/([^/]+)$/.exec(place)?.[1];
  return name?.replaceAll("~1", "/").replaceAll("~0", "~");
}
