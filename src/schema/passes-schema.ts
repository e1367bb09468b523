import { canonicalText, isDeepStrictEqual } from "../base/json/equality.ts";
import { isJsonObject, type Json, type JsonObject } from "../base/json/json.ts";
import { hasType } from "./constraints.ts";
import { FORMATS } from "./rules/formats.ts";
import { compilePattern } from "./rules/pattern.ts";
import { inner, type SchemaNode, type SchemaSource } from "./schema-tree.ts";

/** How far a quotient may be from a whole number: 0.3 is a multiple of 0.1. */
const TOLERANCE = 1e-9;

/** Whether a value passes the schema at a place. */
export type Passes = (node: SchemaNode, value: Json) => boolean;

/**
 * Creates a check of values that are being made, without compiling their schema: compiling one to use it a few times takes
 * far longer than walking through it. Whole records and requests are judged by the compiled validator.
 */
export function createPasses(source: SchemaSource): Passes {
  return (node, value) => new Check(source).passes(node, value);
}

class Check {
  readonly #source: SchemaSource;
  /** The schemas that are being checked for a value: one that leads back to itself says nothing more. */
  readonly #open = new Map<SchemaNode["schema"], Set<Json>>();
  /** Alternatives may lead to one schema in more ways than there is time for: each value is judged by it once. */
  readonly #judged = new Map<SchemaNode["schema"], Map<Json, boolean>>();

  constructor(source: SchemaSource) {
    this.#source = source;
  }

  passes(node: SchemaNode, value: Json): boolean {
    const schema = this.#source.read(node);
    if (schema === false) return false;
    if (!isJsonObject(schema)) return true;
    const open = this.#open.get(node.schema) ?? new Set();
    this.#open.set(node.schema, open);
    if (open.has(value)) return true;
    const judged = this.#judged.get(node.schema) ?? new Map<Json, boolean>();
    this.#judged.set(node.schema, judged);
    const known = judged.get(value);
    if (known !== undefined) return known;
    open.add(value);
    const isPassed = this.#hasType(schema, value) && this.#isListed(schema, value) && this.#keeps(node, schema, value);
    open.delete(value);
    judged.set(value, isPassed);
    return isPassed;
  }

  #hasType({ type }: JsonObject, value: Json): boolean {
    return type === undefined || ([type].flat() as Json[]).some((one) => hasType(value, one as string));
  }

  #isListed(schema: JsonObject, value: Json): boolean {
    if (schema.const !== undefined && !isDeepStrictEqual(schema.const, value)) return false;
    return schema.enum === undefined || (schema.enum as Json[]).some((one) => isDeepStrictEqual(one, value));
  }

  #keeps(node: SchemaNode, schema: JsonObject, value: Json): boolean {
    if (typeof value === "number" && !isNumberFor(schema, value)) return false;
    if (typeof value === "string" && !isTextFor(schema, value)) return false;
    if (Array.isArray(value) && !this.#isListFor(node, schema, value)) return false;
    if (isJsonObject(value) && !this.#isObjectFor(node, schema, value)) return false;
    return this.#keepsParts(node, schema, value);
  }

  #isListFor(node: SchemaNode, schema: JsonObject, list: readonly Json[]): boolean {
    if (!isWithin(list.length, schema.minItems, schema.maxItems)) return false;
    if (schema.uniqueItems === true && new Set(list.map(canonicalText)).size < list.length) return false;
    const prefix = (schema.prefixItems as Json[] | undefined)?.length ?? 0;
    const isEach = list.every((item, at) => {
      if (at < prefix) return this.passes(inner(node, "prefixItems", at), item);
      return schema.items === undefined || this.passes(inner(node, "items"), item);
    });
    if (!isEach || schema.contains === undefined) return isEach;
    const count = list.filter((item) => this.passes(inner(node, "contains"), item)).length;
    return isWithin(count, schema.minContains ?? 1, schema.maxContains);
  }

  #isObjectFor(node: SchemaNode, schema: JsonObject, object: JsonObject): boolean {
    const fields = Object.entries(object);
    const { properties = {}, patternProperties = {} } = schema as Record<string, JsonObject>;
    if (!isWithin(fields.length, schema.minProperties, schema.maxProperties)) return false;
    const isPresent = (name: Json): boolean =>
      Object.hasOwn(object, name as string) ||
      (Object.hasOwn(properties, name as string) &&
        this.#source.isHidden?.(inner(node, "properties", name as string)) === true);
    if (!((schema.required ?? []) as Json[]).every(isPresent)) return false;
    for (const [name, others] of Object.entries((schema.dependentRequired ?? {}) as Record<string, Json[]>)) {
      if (Object.hasOwn(object, name) && !others.every(isPresent)) return false;
    }
    return fields.every(([name, value]) => {
      const patterns = Object.keys(patternProperties).filter((pattern) => compilePattern(pattern).test(name));
      const isNamed = Object.hasOwn(properties, name);
      const nodes = [
        ...(isNamed ? [inner(node, "properties", name)] : []),
        ...patterns.map((pattern) => inner(node, "patternProperties", pattern)),
        ...(isNamed || patterns.length > 0 || schema.additionalProperties === undefined
          ? []
          : [inner(node, "additionalProperties")]),
      ];
      if (schema.propertyNames !== undefined && !this.passes(inner(node, "propertyNames"), name)) return false;
      return nodes.every((one) => this.passes(one, value));
    });
  }

  #keepsParts(node: SchemaNode, schema: JsonObject, value: Json): boolean {
    for (const ref of [schema.$ref, schema.$dynamicRef]) {
      if (typeof ref === "string" && !this.passes(this.#source.resolve(ref, node), value)) return false;
    }
    const passing = (keyword: string): number =>
      (schema[keyword] as Json[]).filter((_, at) => this.passes(inner(node, keyword, at), value)).length;
    if (schema.allOf !== undefined && passing("allOf") < (schema.allOf as Json[]).length) return false;
    if (schema.anyOf !== undefined && passing("anyOf") === 0) return false;
    if (schema.oneOf !== undefined && passing("oneOf") !== 1 && !this.#isTagged(node, schema, value)) return false;
    if (schema.not !== undefined && this.passes(inner(node, "not"), value)) return false;
    if (schema.if !== undefined) {
      const rest = this.passes(inner(node, "if"), value) ? "then" : "else";
      if (schema[rest] !== undefined && !this.passes(inner(node, rest), value)) return false;
    }
    if (!isJsonObject(value)) return true;
    return Object.keys(schema.dependentSchemas ?? {}).every(
      (name) => !Object.hasOwn(value, name) || this.passes(inner(node, "dependentSchemas", name), value),
    );
  }

  /** Whether the alternative that the value names as its own passes. */
  #isTagged(node: SchemaNode, schema: JsonObject, value: Json): boolean {
    if (!isJsonObject(value)) return false;
    return (schema.oneOf as Json[]).some((_, at) => {
      const alternative = inner(node, "oneOf", at);
      const tag = this.#source.tagOf?.(node, alternative);
      return tag !== undefined && value[tag.name] === tag.value && this.passes(alternative, value);
    });
  }
}

function isNumberFor(schema: JsonObject, value: number): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (!isWithin(value, minimum, maximum)) return false;
  if (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum) return false;
  if (typeof exclusiveMaximum === "number" && value >= exclusiveMaximum) return false;
  if (typeof multipleOf !== "number") return true;
  return Math.abs(value / multipleOf - Math.round(value / multipleOf)) <= TOLERANCE;
}

function isTextFor({ minLength, maxLength, pattern, format }: JsonObject, value: string): boolean {
  if ((minLength ?? maxLength) !== undefined && !isWithin([...value].length, minLength, maxLength)) return false;
  if (typeof pattern === "string" && !compilePattern(pattern).test(value)) return false;
  return typeof format !== "string" || (FORMATS.get(format)?.test(value) ?? true);
}

function isWithin(value: number, least: Json | undefined, most: Json | undefined): boolean {
  return !(typeof least === "number" && value < least) && !(typeof most === "number" && value > most);
}
