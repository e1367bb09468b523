import type { Json, JsonObject } from "../base/json/json.ts";
import { within } from "./pointer.ts";
import { type References, schemaReferences } from "./references.ts";

/** A schema inside the schema of a collection, with its place. */
export interface SchemaNode {
  readonly schema: Json;
  readonly at: string;
  /** A value to try before all others. */
  readonly preferred?: Json;
}

/** A field that tells the alternatives of a schema apart, and its value for one of them. */
export interface Tag {
  readonly name: string;
  readonly value: string;
}

/** Schemas in a dialect of their own, read as those of JSON Schema 2020-12. */
export interface SchemaSource {
  /** The schema itself, with keywords as JSON Schema has them. Schemas inside it stay as they are. */
  read(node: SchemaNode): Json;
  /** The schema that a `$ref` or `$dynamicRef` of another one points to. */
  resolve(ref: string, from: SchemaNode): SchemaNode;
  /** Whether a field is never part of the values that are made. */
  isHidden?(node: SchemaNode): boolean;
  /** The tag of a chosen alternative. */
  tagOf?(node: SchemaNode, alternative: SchemaNode): Tag | undefined;
  /** The tag of a schema that others extend, and the one of these to make where the schema is not made for itself. */
  tagOfBase?(node: SchemaNode, subject: string | undefined): { tag?: Tag; extension?: SchemaNode } | undefined;
}

/** The schema of a collection. */
export class SchemaTree implements SchemaSource {
  readonly root: SchemaNode;
  readonly #references: References;

  constructor(root: JsonObject) {
    this.root = { schema: root, at: "#" };
    this.#references = schemaReferences(root);
  }

  read({ schema }: SchemaNode): Json {
    return schema;
  }

  resolve(ref: string): SchemaNode {
    const { value = true, place } = this.#references.target(ref) ?? { place: ref };
    return { schema: value, at: place };
  }
}

/** The schema below another one: `inner(node, "properties", "price")`. */
export function inner(node: SchemaNode, ...steps: readonly (string | number)[]): SchemaNode {
  let { schema, at } = node;
  for (const step of steps) {
    schema = (schema as Record<string, Json>)[step]!;
    at = within(at, step);
  }
  return { schema, at };
}
