import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";

/** A schema inside the schema of a collection, with its place as a JSON pointer. */
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

/** The schema of a collection, in which references are resolved. */
export class SchemaTree implements SchemaSource {
  readonly root: SchemaNode;
  readonly #anchors = new Map<string, SchemaNode>();

  constructor(root: JsonObject) {
    this.root = { schema: root, at: "" };
    this.#findAnchors(this.root);
  }

  read({ schema }: SchemaNode): Json {
    return schema;
  }

  /** The schema that a `$ref` or `$dynamicRef` points to. */
  resolve(ref: string): SchemaNode {
    const fragment = decodeURIComponent(ref.includes("#") ? ref.slice(ref.indexOf("#") + 1) : "");
    if (fragment !== "" && !fragment.startsWith("/")) return this.#anchors.get(fragment) ?? this.root;
    let node = this.root;
    for (const step of fragment.split("/").slice(1)) {
      const { schema } = node;
      const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
      const inner = Array.isArray(schema) ? schema[Number(key)] : isJsonObject(schema) ? schema[key] : undefined;
      node = { schema: inner ?? true, at: within(node.at, key) };
    }
    return node;
  }

  #findAnchors(node: SchemaNode): void {
    if (typeof node.schema !== "object" || node.schema === null) return;
    const { $anchor, $dynamicAnchor } = node.schema as JsonObject;
    for (const name of [$anchor, $dynamicAnchor]) if (typeof name === "string") this.#anchors.set(name, node);
    for (const [key, schema] of Object.entries(node.schema)) this.#findAnchors({ schema, at: within(node.at, key) });
  }
}

/** The schema below another one: `inner(node, "properties", "price")`. */
export function inner(node: SchemaNode, ...steps: readonly (string | number)[]): SchemaNode {
  let { schema, at } = node;
  for (const step of steps) {
    schema = (schema as Record<string, Json>)[step]!;
    at = within(at, String(step));
  }
  return { schema, at };
}

export function within(pointer: string, step: string): string {
  if (!step.includes("/") && !step.includes("~")) return `${pointer}/${step}`;
  return `${pointer}/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
