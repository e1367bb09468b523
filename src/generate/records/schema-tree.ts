import { isJsonObject, type Json, type JsonObject } from "../../json.ts";

/** A schema inside the schema of a collection, with its place as a JSON pointer. */
export interface SchemaNode {
  readonly schema: Json;
  readonly at: string;
}

/** The schema of a collection, in which references are resolved. */
export class SchemaTree {
  readonly root: SchemaNode;
  readonly #anchors = new Map<string, SchemaNode>();

  constructor(root: JsonObject) {
    this.root = { schema: root, at: "" };
    this.#findAnchors(this.root);
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
  return `${pointer}/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
