import { isJsonObject, type Json, type JsonObject } from "../../json.ts";
import { within } from "../document.ts";
import type { Placed, References } from "../references.ts";

/** The outline of a schema: enough to tell records, lists and envelopes apart. */
export interface Shape {
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
  /** Of a shared schema: its name, such as `Pet`. */
  readonly name: string | undefined;
}

const SCALARS = ["string", "number", "integer", "boolean"];
/** Reads outlines of schemas, each once. */
export class Shapes {
  readonly #references: References;
  readonly #known = new Map<string, Shape>();

  constructor(references: References) {
    this.#references = references;
  }

  of(schema: Placed): Shape {
    const resolved = this.#resolve(schema);
    const known = this.#known.get(resolved.place);
    if (known) return known;
    const shape = this.#read(resolved, new Map());
    this.#known.set(resolved.place, shape);
    return shape;
  }

  /** A part that leads back to the whole adds nothing to it, so each is read once on the way. */
  #part(schema: Placed, passed: Map<string, Shape>): Shape {
    const resolved = this.#resolve(schema);
    return this.#known.get(resolved.place) ?? passed.get(resolved.place) ?? this.#read(resolved, passed);
  }

  /** The shape of a property; undefined where there is no such. */
  property(shape: Shape, name: string): Shape | undefined {
    const found = shape.properties.get(name);
    return found && this.of(found);
  }

  /** A reference that leads nowhere is no matter of binding. */
  #resolve(schema: Placed): Placed {
    try {
      return this.#references.resolve(schema);
    } catch {
      return { value: true, place: schema.place };
    }
  }

  #read(schema: Placed, passed: Map<string, Shape>): Shape {
    const { place } = schema;
    passed.set(place, unknown(schema));
    const shape = this.#readParts(schema, passed);
    passed.set(place, shape);
    return shape;
  }

  #readParts(schema: Placed, passed: Map<string, Shape>): Shape {
    const { value, place } = schema;
    if (!isJsonObject(value)) return unknown(schema);
    const own = this.#own(value, place);
    const all = parts(value.allOf, within(place, "allOf")).map((part) => this.#part(part, passed));
    const [only] = all;
    // `allOf` around one reference adds a description at most.
    if (only && all.length === 1 && own.kind === "unknown") return only;
    const branches = [
      ...parts(value.oneOf, within(place, "oneOf")),
      ...parts(value.anyOf, within(place, "anyOf")),
    ].filter((part) => !isNull(part.value));
    const either = branches.map((part) => this.#part(part, passed));
    if (either.length === 1 && own.kind === "unknown" && all.length === 0) return either[0]!;
    const joined = [own, ...all, ...(either.length > 0 ? [union(schema, either)] : [])];
    return { ...intersection(schema, joined), name: nameOf(place), isReadOnly: value.readOnly === true };
  }

  #own(value: JsonObject, place: string): Shape {
    const types = (Array.isArray(value.type) ? value.type : [value.type]).filter(
      (type): type is string => typeof type === "string" && type !== "null",
    );
    const properties = isJsonObject(value.properties) ? value.properties : {};
    const hasProperties = Object.keys(properties).length > 0;
    const items = value.items === undefined ? undefined : { value: value.items, place: within(place, "items") };
    return {
      schema: { value, place },
      kind: kindOf(types, hasProperties || isJsonObject(value.additionalProperties), items !== undefined, value),
      types: new Set(types.filter((type) => SCALARS.includes(type))),
      format: typeof value.format === "string" ? value.format : undefined,
      properties: new Map(
        Object.entries(properties).map(([name, property]) => [
          name,
          { value: property, place: within(within(place, "properties"), name) },
        ]),
      ),
      required: new Set(Array.isArray(value.required) ? value.required.filter((name) => typeof name === "string") : []),
      items,
      isReadOnly: value.readOnly === true,
      name: undefined,
    };
  }
}

function kindOf(types: readonly string[], hasProperties: boolean, hasItems: boolean, value: JsonObject): Shape["kind"] {
  if (types.length === 0) {
    if (hasProperties) return "object";
    if (hasItems) return "array";
    return value.enum !== undefined || value.const !== undefined || value.format !== undefined ? "scalar" : "unknown";
  }
  if (types.every((type) => SCALARS.includes(type))) return "scalar";
  if (types.length > 1) return "mixed";
  return types[0] === "object" || types[0] === "array" ? types[0] : "unknown";
}

function unknown(schema: Placed): Shape {
  return {
    schema,
    kind: "unknown",
    types: new Set(),
    format: undefined,
    properties: new Map(),
    required: new Set(),
    items: undefined,
    isReadOnly: false,
    name: nameOf(schema.place),
  };
}

/** All of them hold. */
function intersection(schema: Placed, shapes: readonly Shape[]): Shape {
  const known = shapes.filter(({ kind }) => kind !== "unknown");
  return {
    ...unknown(schema),
    kind: known.find(({ kind }) => kind !== "mixed")?.kind ?? known[0]?.kind ?? "unknown",
    types: new Set(known.flatMap(({ types }) => [...types])),
    format: known.find(({ format }) => format !== undefined)?.format,
    properties: new Map(shapes.flatMap(({ properties }) => [...properties])),
    required: new Set(shapes.flatMap(({ required }) => [...required])),
    items: known.find(({ items }) => items)?.items,
  };
}

/** One of them holds. */
function union(schema: Placed, shapes: readonly Shape[]): Shape {
  const kinds = new Set(shapes.map(({ kind }) => kind));
  return {
    ...unknown(schema),
    kind: kinds.size === 1 ? shapes[0]!.kind : "mixed",
    types: new Set(shapes.flatMap(({ types }) => [...types])),
    properties: new Map(shapes.flatMap(({ properties }) => [...properties])),
    required: new Set([...shapes[0]!.required].filter((name) => shapes.every(({ required }) => required.has(name)))),
    items: shapes.find(({ items }) => items)?.items,
  };
}

function parts(list: Json | undefined, place: string): Placed[] {
  return Array.isArray(list) ? list.map((value, position) => ({ value, place: within(place, position) })) : [];
}

function isNull(value: Json | undefined): boolean {
  return isJsonObject(value) && (value.type === "null" || value.const === null);
}

/** `#/components/schemas/Pet` -> Pet; other places have no name. */
function nameOf(place: string): string | undefined {
  const name = /#\/(?:components\/schemas|definitions|\$defs)\/([^/]+)$/.exec(place)?.[1];
  return name?.replaceAll("~1", "/").replaceAll("~0", "~");
}
