import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type Json, type JsonObject } from "../../json.ts";
import type { Randomness } from "../randomness.ts";
import { inner, type SchemaNode, type SchemaTree } from "./schema-tree.ts";
import { Unsatisfiable } from "./unsatisfiable.ts";

export const TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"] as const;
export type Type = (typeof TYPES)[number];

/** Fields that are neither named nor match a pattern have to pass `node`. */
export interface Additional {
  readonly node: SchemaNode;
  readonly names: ReadonlySet<string>;
  readonly patterns: readonly string[];
}

export interface Contains {
  readonly node: SchemaNode;
  readonly least: number;
  readonly most: number;
}

/** The keywords of several schemas that one value has to pass, put together. Alternatives are decided at random. */
export class Constraints {
  types: ReadonlySet<Type> | undefined;
  /** The only allowed values, of `enum` and `const`. */
  values: readonly Json[] | undefined;
  examples: readonly Json[] = [];
  minimum = Number.NEGATIVE_INFINITY;
  maximum = Number.POSITIVE_INFINITY;
  exclusiveMinimum = Number.NEGATIVE_INFINITY;
  exclusiveMaximum = Number.POSITIVE_INFINITY;
  readonly multiples: number[] = [];
  minLength = 0;
  maxLength = Number.POSITIVE_INFINITY;
  readonly patterns: string[] = [];
  readonly formats: string[] = [];
  minItems = 0;
  maxItems = Number.POSITIVE_INFINITY;
  isUniqueItems = false;
  readonly items: { readonly node: SchemaNode; readonly from: number }[] = [];
  readonly prefixes: (readonly SchemaNode[])[] = [];
  readonly contains: Contains[] = [];
  readonly properties = new Map<string, SchemaNode[]>();
  readonly patternProperties: (readonly [pattern: string, node: SchemaNode])[] = [];
  readonly additional: Additional[] = [];
  readonly propertyNames: SchemaNode[] = [];
  readonly required = new Set<string>();
  /** Fields that were decided to be left out. */
  readonly absent = new Set<string>();
  readonly dependentRequired: (readonly [name: string, names: readonly string[]])[] = [];
  minProperties = 0;
  maxProperties = Number.POSITIVE_INFINITY;
  /** Schemas with keywords that a value can only be checked for. */
  readonly unsure: SchemaNode[] = [];
  /** Whether another try may decide differently. */
  hasAlternatives = false;
  /** The schemas of a field, by its name, once they were asked for. */
  readonly nodes = new Map<string, readonly SchemaNode[]>();
  /** The same for the items of a list, by their position; all behind the first ones are alike. */
  readonly itemNodes = new Map<number, readonly SchemaNode[]>();
  /** Keywords met, which tell the type where none is given. */
  readonly keywords = new Set<string>();
}

/** Keywords that are checked afterwards, because values are not made to keep them. */
export const UNSURE = ["not", "anyOf", "oneOf", "if", "dependentSchemas", "unevaluatedProperties", "unevaluatedItems"];
/** Keywords whose schema is often false. */
const REFUSING = ["additionalProperties", "unevaluatedProperties", "items", "unevaluatedItems"];
const MAX_NODES = 2000;

export interface Gathering {
  readonly tree: SchemaTree;
  readonly random: Randomness;
  readonly pointer: string;
  /** Prefers alternatives without references, so that recursion ends. */
  readonly isDeep: boolean;
}

/** Constraints without alternatives, by the list of their schemas: they are the same for every record. */
const known = new WeakMap<readonly SchemaNode[], Constraints>();

/** Puts the schemas together; throws `Unsatisfiable` where they contradict each other. */
export function gather(nodes: readonly SchemaNode[], gathering: Gathering): Constraints {
  const former = known.get(nodes);
  if (former) return former;
  const gatherer = new Gatherer(gathering);
  for (const node of nodes) gatherer.add(node);
  const { constraints } = gatherer;
  if (!constraints.hasAlternatives) known.set(nodes, constraints);
  return constraints;
}

class Gatherer {
  readonly constraints = new Constraints();
  readonly #gathering: Gathering;
  #left = MAX_NODES;

  constructor(gathering: Gathering) {
    this.#gathering = gathering;
  }

  add(node: SchemaNode): void {
    const { schema } = node;
    if (schema === false) {
      const keyword = node.at.slice(node.at.lastIndexOf("/") + 1);
      throw this.#contradiction(REFUSING.includes(keyword) ? keyword : "false", "the schema false allows no value");
    }
    if (!isJsonObject(schema)) return;
    if (this.#left-- <= 0) throw this.#contradiction("$ref", "the schema leads back into itself");
    if (UNSURE.some((keyword) => Object.hasOwn(schema, keyword))) this.constraints.unsure.push(node);
    this.#addScalars(schema);
    this.#addItems(node, schema);
    this.#addFields(node, schema);
    this.#addParts(node, schema);
  }

  #contradiction(rule: string, message: string): Unsatisfiable {
    return new Unsatisfiable(this.#gathering.pointer, rule, message);
  }

  #addScalars(schema: JsonObject): void {
    const { constraints: all } = this;
    for (const keyword of Object.keys(schema)) all.keywords.add(keyword);
    if (schema.type !== undefined) this.#addTypes([schema.type].flat() as Type[]);
    if (schema.enum !== undefined) this.#addValues(schema.enum as Json[], "enum");
    if (schema.const !== undefined) this.#addValues([schema.const], "const");
    if (Array.isArray(schema.examples)) all.examples = [...all.examples, ...schema.examples];
    const number = (key: string, other: number): number => (typeof schema[key] === "number" ? schema[key] : other);
    all.minimum = Math.max(all.minimum, number("minimum", all.minimum));
    all.maximum = Math.min(all.maximum, number("maximum", all.maximum));
    all.exclusiveMinimum = Math.max(all.exclusiveMinimum, number("exclusiveMinimum", all.exclusiveMinimum));
    all.exclusiveMaximum = Math.min(all.exclusiveMaximum, number("exclusiveMaximum", all.exclusiveMaximum));
    if (typeof schema.multipleOf === "number") all.multiples.push(schema.multipleOf);
    all.minLength = Math.max(all.minLength, number("minLength", 0));
    all.maxLength = Math.min(all.maxLength, number("maxLength", all.maxLength));
    if (typeof schema.pattern === "string") all.patterns.push(schema.pattern);
    if (typeof schema.format === "string") all.formats.push(schema.format);
    all.minItems = Math.max(all.minItems, number("minItems", 0));
    all.maxItems = Math.min(all.maxItems, number("maxItems", all.maxItems));
    all.minProperties = Math.max(all.minProperties, number("minProperties", 0));
    all.maxProperties = Math.min(all.maxProperties, number("maxProperties", all.maxProperties));
    all.isUniqueItems ||= schema.uniqueItems === true;
  }

  /** A whole number is a number as well. */
  #addTypes(types: readonly Type[]): void {
    const { types: former } = this.constraints;
    const allows = (one: Type): boolean => types.includes(one) || (one === "integer" && types.includes("number"));
    const wider = former?.has("number") && types.includes("integer") && !types.includes("number") ? ["integer"] : [];
    const kept = former ? [...[...former].filter(allows), ...(wider as Type[])] : types;
    if (kept.length === 0) throw this.#contradiction("type", `no type is both ${[...former!]} and ${types}`);
    this.constraints.types = new Set(kept);
  }

  #addValues(values: readonly Json[], rule: string): void {
    const former = this.constraints.values;
    const kept = former ? former.filter((one) => values.some((other) => isDeepStrictEqual(one, other))) : values;
    if (kept.length === 0) throw this.#contradiction(rule, "no value is allowed by every list");
    this.constraints.values = kept;
  }

  #addItems(node: SchemaNode, schema: JsonObject): void {
    const { constraints: all } = this;
    const prefix = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
    if (prefix.length > 0) all.prefixes.push(prefix.map((_, position) => inner(node, "prefixItems", position)));
    if (schema.items !== undefined) all.items.push({ node: inner(node, "items"), from: prefix.length });
    if (schema.contains === undefined) return;
    const least = typeof schema.minContains === "number" ? schema.minContains : 1;
    const most = typeof schema.maxContains === "number" ? schema.maxContains : Number.POSITIVE_INFINITY;
    all.contains.push({ node: inner(node, "contains"), least, most });
    if (most < Number.POSITIVE_INFINITY || least === 0) all.unsure.push(node);
  }

  #addFields(node: SchemaNode, schema: JsonObject): void {
    const { constraints: all } = this;
    const properties = isJsonObject(schema.properties) ? Object.keys(schema.properties) : [];
    for (const name of properties) {
      all.properties.set(name, [...(all.properties.get(name) ?? []), inner(node, "properties", name)]);
    }
    const patterns = isJsonObject(schema.patternProperties) ? Object.keys(schema.patternProperties) : [];
    for (const pattern of patterns) all.patternProperties.push([pattern, inner(node, "patternProperties", pattern)]);
    if (schema.additionalProperties !== undefined) {
      all.additional.push({ node: inner(node, "additionalProperties"), names: new Set(properties), patterns });
    }
    if (schema.unevaluatedProperties !== undefined) {
      all.additional.push({ node: inner(node, "unevaluatedProperties"), names: this.#evaluated(node), patterns });
    }
    if (schema.propertyNames !== undefined) all.propertyNames.push(inner(node, "propertyNames"));
    if (Array.isArray(schema.required)) for (const name of schema.required) all.required.add(name as string);
    if (isJsonObject(schema.dependentRequired)) {
      all.dependentRequired.push(...(Object.entries(schema.dependentRequired) as [string, string[]][]));
    }
  }

  /** The fields that any part of the schema names: those of the parts that apply are among them. */
  #evaluated(node: SchemaNode, names = new Set<string>(), seen = new Set<string>()): Set<string> {
    const { schema } = node;
    if (!isJsonObject(schema) || seen.has(node.at)) return names;
    seen.add(node.at);
    if (isJsonObject(schema.properties)) for (const name of Object.keys(schema.properties)) names.add(name);
    const parts = ["allOf", "anyOf", "oneOf", "dependentSchemas"].flatMap((keyword) =>
      Object.keys(schema[keyword] ?? {}).map((key) => inner(node, keyword, key)),
    );
    for (const keyword of ["if", "then", "else"]) if (schema[keyword] !== undefined) parts.push(inner(node, keyword));
    if (typeof schema.$ref === "string") parts.push(this.#gathering.tree.resolve(schema.$ref));
    for (const part of parts) this.#evaluated(part, names, seen);
    return names;
  }

  #addParts(node: SchemaNode, schema: JsonObject): void {
    const { tree, random } = this.#gathering;
    for (const ref of [schema.$ref, schema.$dynamicRef]) if (typeof ref === "string") this.add(tree.resolve(ref));
    if (Array.isArray(schema.allOf))
      for (const position of schema.allOf.keys()) this.add(inner(node, "allOf", position));
    for (const keyword of ["anyOf", "oneOf"]) {
      const list = schema[keyword];
      if (Array.isArray(list)) this.add(this.#alternative(list.map((_, position) => inner(node, keyword, position))));
    }
    if (schema.if !== undefined) {
      this.constraints.hasAlternatives = true;
      const isMet = random.chance(0.5);
      if (isMet) this.add(inner(node, "if"));
      const rest = isMet ? "then" : "else";
      if (schema[rest] !== undefined) this.add(inner(node, rest));
    }
    if (schema.not !== undefined) this.constraints.hasAlternatives = true;
    if (!isJsonObject(schema.dependentSchemas)) return;
    for (const name of Object.keys(schema.dependentSchemas))
      this.#addDependent(name, inner(node, "dependentSchemas", name));
  }

  #addDependent(name: string, node: SchemaNode): void {
    const { constraints: all } = this;
    all.hasAlternatives = true;
    if (!all.required.has(name) && this.#gathering.random.chance(0.5)) {
      all.absent.add(name);
      return;
    }
    all.required.add(name);
    this.add(node);
  }

  #alternative(nodes: readonly SchemaNode[]): SchemaNode {
    if (nodes.length > 1) this.constraints.hasAlternatives = true;
    const shallow = this.#gathering.isDeep
      ? nodes.filter(({ schema }) => !/"\$(dynamicR|r)ef"/.test(JSON.stringify(schema)))
      : [];
    return this.#gathering.random.pick(shallow.length > 0 ? shallow : nodes);
  }
}
