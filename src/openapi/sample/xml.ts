import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import { inner, type SchemaNode } from "../../schema/schema-tree.ts";
import type { SchemaReader } from "./schema-reader.ts";

export interface XmlSchemas {
  readonly reader: SchemaReader;
  readonly passes: (node: SchemaNode, value: Json) => boolean;
}

/** Keywords of `xml` in a schema. */
interface XmlHints {
  readonly name: string | undefined;
  readonly namespace: string | undefined;
  readonly prefix: string | undefined;
  readonly nodeType: string | undefined;
}

/** An element before it is written. */
interface Element {
  readonly name: string;
  readonly attributes: [name: string, text: string][];
  readonly children: Element[];
  text: string;
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
const MAX_PARTS = 200;
const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
  "\t": "&#9;",
  "\r": "&#13;",
};

/** Writes a value as XML, with the names, attributes, namespaces and wrappers of its schema. */
export function xmlText(value: Json, schema: SchemaNode | undefined, schemas: XmlSchemas): string {
  const writer = new XmlWriter(schemas);
  return `${DECLARATION}${rendered(writer.root(value, schema), "")}\n`;
}

/** A value and its schemas. */
interface Described {
  readonly value: Json;
  readonly nodes: readonly SchemaNode[];
}

class XmlWriter {
  readonly #schemas: XmlSchemas;

  constructor(schemas: XmlSchemas) {
    this.#schemas = schemas;
  }

  root(value: Json, schema: SchemaNode | undefined): Element {
    const nodes = schema ? [schema] : [];
    const name = this.#nameOf(nodes, value) ?? (Array.isArray(value) ? "items" : "root");
    if (!Array.isArray(value)) return this.#element(name, value, nodes);
    const items = this.#itemsOf(nodes, value);
    const element = createElement(name, this.#hintsOf(nodes, value));
    for (const item of value) element.children.push(this.#element(this.#nameOf(items, item) ?? "item", item, items));
    return element;
  }

  #element(name: string, value: Json, nodes: readonly SchemaNode[]): Element {
    const hints = this.#hintsOf(nodes, value);
    const element = createElement(hints.name ?? name, hints);
    if (isJsonObject(value)) {
      for (const [key, inside] of Object.entries(value)) {
        this.#addMember(element, key, { value: inside, nodes: this.#propertyOf(nodes, key, value) });
      }
    } else if (Array.isArray(value)) {
      for (const item of value) element.children.push(this.#element("item", item, this.#itemsOf(nodes, value)));
    } else element.text = textOf(value);
    return element;
  }

  #addMember(parent: Element, key: string, { value, nodes }: Described): void {
    const hints = this.#hintsOf(nodes, value);
    if (typeof value !== "object" && hints.nodeType === "attribute") {
      const { name, declared } = qualified(hints.name ?? key, hints);
      parent.attributes.push(...declared, [name, textOf(value)]);
    } else if (typeof value !== "object" && (hints.nodeType === "text" || hints.nodeType === "cdata")) {
      parent.text += textOf(value);
    } else if (Array.isArray(value)) {
      const isWrapped = hints.nodeType === "element";
      const holder = isWrapped ? createElement(hints.name ?? key, hints) : parent;
      for (const item of value) holder.children.push(this.#element(key, item, this.#itemsOf(nodes, value)));
      if (isWrapped) parent.children.push(holder);
    } else if (hints.nodeType !== "attribute") parent.children.push(this.#element(key, value, nodes));
  }

  /** The schemas that apply to a value: with what references lead to, all parts, and the alternative that fits. */
  #partsOf(nodes: readonly SchemaNode[], value: Json): SchemaNode[] {
    const { reader, passes } = this.#schemas;
    const parts: SchemaNode[] = [];
    const seen = new Set<Json>();
    const add = (node: SchemaNode): void => {
      const schema = reader.read(node);
      if (!isJsonObject(schema) || seen.has(node.schema) || parts.length >= MAX_PARTS) return;
      seen.add(node.schema);
      parts.push(node);
      if (typeof schema.$ref === "string") add(reader.resolve(schema.$ref, node));
      for (const at of ((schema.allOf ?? []) as Json[]).keys()) add(inner(node, "allOf", at));
      for (const keyword of ["oneOf", "anyOf"]) {
        const branches = ((schema[keyword] ?? []) as Json[]).map((_, at) => inner(node, keyword, at));
        const fitting = branches.find((branch) => passes(branch, value));
        if (fitting) add(fitting);
      }
    };
    for (const node of nodes) add(node);
    return parts;
  }

  #propertyOf(nodes: readonly SchemaNode[], name: string, value: Json): SchemaNode[] {
    return this.#partsOf(nodes, value).flatMap((part) => {
      const { properties, additionalProperties } = part.schema as JsonObject;
      if (isJsonObject(properties) && Object.hasOwn(properties, name)) return [inner(part, "properties", name)];
      return isJsonObject(additionalProperties) ? [inner(part, "additionalProperties")] : [];
    });
  }

  #itemsOf(nodes: readonly SchemaNode[], value: Json): SchemaNode[] {
    return this.#partsOf(nodes, value).flatMap((part) =>
      isJsonObject((part.schema as JsonObject).items) ? [inner(part, "items")] : [],
    );
  }

  #hintsOf(nodes: readonly SchemaNode[], value: Json): XmlHints {
    const given = this.#partsOf(nodes, value).flatMap(({ schema }) => {
      const { xml } = schema as JsonObject;
      return isJsonObject(xml) ? [xml] : [];
    });
    const text = (key: string): string | undefined =>
      given.map((xml) => xml[key]).find((one): one is string => typeof one === "string" && one !== "");
    const nodeType = given.some(({ attribute }) => attribute === true)
      ? "attribute"
      : given.some(({ wrapped }) => wrapped === true)
        ? "element"
        : text("nodeType");
    return { name: text("name"), namespace: text("namespace"), prefix: text("prefix"), nodeType };
  }

  /** The name of a schema's element, where it stands alone: its own, or that of the schema. */
  #nameOf(nodes: readonly SchemaNode[], value: Json): string | undefined {
    const { name } = this.#hintsOf(nodes, value);
    if (name !== undefined) return name;
    const named = this.#partsOf(nodes, value).find(({ at }) => /\/schemas\/[^/]+$/.test(at));
    return named?.at.slice(named.at.lastIndexOf("/") + 1);
  }
}

function createElement(name: string, hints: XmlHints): Element {
  const own = qualified(name, hints);
  return { name: own.name, attributes: own.declared, children: [], text: "" };
}

/** The name with its prefix, and the declaration of its namespace. */
function qualified(name: string, { prefix, namespace }: XmlHints): { name: string; declared: [string, string][] } {
  const known = prefix === undefined ? undefined : xmlName(prefix);
  const declaration = known === undefined ? "xmlns" : `xmlns:${known}`;
  return {
    name: known === undefined ? xmlName(name) : `${known}:${xmlName(name)}`,
    declared: namespace === undefined ? [] : [[declaration, namespace]],
  };
}

function xmlName(text: string): string {
  const name = text.replace(/[^\p{L}\p{N}_.-]/gu, "_");
  return /^[\p{L}_]/u.test(name) ? name : `_${name}`;
}

function textOf(value: Json): string {
  return value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
}

function rendered({ name, attributes, children, text }: Element, indent: string): string {
  const written = [...new Map(attributes)]
    .map(([key, value]) => ` ${key}="${escaped(value, /[&<>"\n\t\r]/g)}"`)
    .join("");
  const content = escaped(text, /[&<>]/g);
  if (children.length === 0) {
    return content === "" ? `${indent}<${name}${written}/>` : `${indent}<${name}${written}>${content}</${name}>`;
  }
  const inside = children.map((child) => rendered(child, `${indent}  `)).join("\n");
  return `${indent}<${name}${written}>${content}\n${inside}\n${indent}</${name}>`;
}

function escaped(text: string, special: RegExp): string {
  // Other control characters have no place in XML at all.
  const allowed = text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "");
  return allowed.replace(special, (character) => ESCAPES[character]!);
}
