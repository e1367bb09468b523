import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import type { References } from "../../schema/references.ts";
import type { SchemaNode, SchemaSource, Tag } from "../../schema/schema-tree.ts";
import type { Direction } from "../check/direction.ts";
import { asJsonSchema } from "../read/json-schema.ts";
import { valueOfText } from "../read/json-text.ts";
import { isDecimal, usablePattern } from "./usable-pattern.ts";

/** Reads the schemas of an OpenAPI document as JSON Schema 2020-12, for bodies that go in one direction. */
export class SchemaReader implements SchemaSource {
  readonly #references: Pick<References, "follow">;
  readonly #hidden: "readOnly" | "writeOnly";
  readonly #read = new WeakMap<JsonObject, JsonObject>();

  constructor(references: Pick<References, "follow">, direction: Direction) {
    this.#references = references;
    this.#hidden = direction === "response" ? "writeOnly" : "readOnly";
  }

  read({ schema }: SchemaNode): Json {
    if (!isJsonObject(schema)) return schema;
    let read = this.#read.get(schema);
    if (!read) {
      read = asSampled(schema);
      this.#read.set(schema, read);
    }
    return read;
  }

  /** A reference that leads nowhere allows anything. */
  resolve(ref: string, { schema, at }: SchemaNode): SchemaNode {
    const isOwn = isJsonObject(schema) && schema.$ref === ref;
    const { value = true, place } = this.#references.follow({ value: isOwn ? schema : { $ref: ref }, place: at });
    return { schema: value, at: place };
  }

  isHidden(node: SchemaNode): boolean {
    const { schema } = node;
    if (!isJsonObject(schema)) return false;
    if (schema[this.#hidden] === true) return true;
    return typeof schema.$ref === "string" && this.isHidden(this.resolve(schema.$ref, node));
  }

  tagOf(node: SchemaNode, { schema, at }: SchemaNode): Tag | undefined {
    const discriminator = discriminatorOf(node);
    if (!discriminator || !isJsonObject(schema) || typeof schema.$ref !== "string") return undefined;
    return this.#tag(node, discriminator, this.resolve(schema.$ref, { schema, at }).at);
  }

  /** A schema with a discriminator and without alternatives is extended by others with `allOf`. */
  tagOfBase(node: SchemaNode, subject: string | undefined): { tag?: Tag; extension?: SchemaNode } | undefined {
    const discriminator = discriminatorOf(node);
    const { oneOf, anyOf } = node.schema as JsonObject;
    if (!discriminator || oneOf !== undefined || anyOf !== undefined) return undefined;
    const targets = this.#mapped(node, discriminator);
    const isBase = subject === undefined || subject === node.at;
    const [first] = targets;
    if (!isBase || !first || targets.some(([, target]) => target.at === node.at)) {
      return { tag: this.#tag(node, discriminator, subject ?? node.at) };
    }
    return { tag: { name: discriminator.propertyName, value: first[0] }, extension: first[1] };
  }

  #tag(node: SchemaNode, discriminator: Discriminator, place: string): Tag {
    const key = this.#mapped(node, discriminator).find(([, target]) => target.at === place)?.[0];
    return { name: discriminator.propertyName, value: key ?? place.slice(place.lastIndexOf("/") + 1) };
  }

  #mapped(node: SchemaNode, { mapping }: Discriminator): [key: string, target: SchemaNode][] {
    return Object.entries(mapping).flatMap(([key, ref]): [string, SchemaNode][] => {
      if (typeof ref !== "string") return [];
      const target = /^[\w.-]+$/.test(ref) ? `#/components/schemas/${ref}` : ref;
      const found = this.resolve(target, node);
      return isJsonObject(found.schema) ? [[key, found]] : [];
    });
  }
}

interface Discriminator {
  readonly propertyName: string;
  readonly mapping: JsonObject;
}

function discriminatorOf({ schema }: SchemaNode): Discriminator | undefined {
  const found = isJsonObject(schema) ? schema.discriminator : undefined;
  if (!isJsonObject(found) || typeof found.propertyName !== "string") return undefined;
  return { propertyName: found.propertyName, mapping: isJsonObject(found.mapping) ? found.mapping : {} };
}

/** With patterns that the engine accepts, and examples under one keyword. */
function asSampled(schema: JsonObject): JsonObject {
  const read = asJsonSchema(schema);
  readTexts(read);
  const isOfParts = isJsonObject(read.properties) || read.items !== undefined;
  const own = read.example !== undefined && isOfParts ? valueOfText(read, read.example) : read.example;
  const examples = [...(own === undefined ? [] : [own]), ...(Array.isArray(read.examples) ? read.examples : [])];
  delete read.examples;
  if (examples.length > 0) read.examples = examples;
  return read;
}

function readTexts(read: JsonObject): void {
  if (read.contentEncoding === "base64" && read.format === undefined) read.format = "byte";
  if (read.format === undefined && isDecimal(read.pattern)) read.format = "decimal";
  const pattern = typeof read.pattern === "string" ? usablePattern(read.pattern) : undefined;
  delete read.pattern;
  if (pattern !== undefined) read.pattern = pattern;
  if (!isJsonObject(read.patternProperties)) return;
  const usable = Object.entries(read.patternProperties).filter(([name]) => usablePattern(name) === name);
  read.patternProperties = Object.fromEntries(usable);
}
