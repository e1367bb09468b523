import { isDeepStrictEqual } from "../base/json/equality.ts";
import { isJsonObject, type Json, type JsonObject } from "../base/json/json.ts";
import { Constraints, type Type, Unsatisfiable } from "./constraints.ts";
import type { Randomness } from "./generate/randomness.ts";
import { inner, type SchemaNode, type SchemaSource, type Tag } from "./schema-tree.ts";

/** Keywords that are checked afterwards, because values are not made to keep them. */
export const UNSURE = ["not", "anyOf", "oneOf", "if", "dependentSchemas", "unevaluatedProperties", "unevaluatedItems"];
/** Keywords whose schema is often false. */
const REFUSING = ["additionalProperties", "unevaluatedProperties", "items", "unevaluatedItems"];
const MAX_NODES = 2000;

export interface Gathering {
  readonly tree: SchemaSource;
  readonly random: Pick<Randomness, "chance" | "pick">;
  readonly pointer: string;
  /** Prefers alternatives without references, so that recursion ends. */
  readonly isDeep: boolean;
  /** The position of the alternative to choose, round and round; undefined to choose at random. */
  readonly turn?: number | undefined;
  /** Whether alternatives are listed instead of decided. */
  readonly isUndecided?: boolean | undefined;
  /** Whether of two keywords that contradict each other the first one counts. */
  readonly isLenient?: boolean | undefined;
}

/** Constraints without alternatives, by the list of their schemas: they are the same for every record. */
const known = new WeakMap<readonly SchemaNode[], Constraints>();
/** The same for a reference alone, by the schema that it leads to. */
const knownTargets = new WeakMap<SchemaSource, WeakMap<JsonObject, Constraints>>();

/** Puts the schemas together; throws `Unsatisfiable` where they contradict each other. */
export function gather(nodes: readonly SchemaNode[], gathering: Gathering): Constraints {
  const target = onlyTarget(nodes, gathering);
  const former = gathering.isUndecided
    ? undefined
    : (known.get(nodes) ?? (target && knownTargets.get(gathering.tree)?.get(target)));
  if (former) return former;
  const gatherer = new Gatherer(gathering);
  for (const node of nodes) gatherer.add(node, undefined);
  gatherer.finish();
  const { constraints } = gatherer;
  if (constraints.hasAlternatives || gathering.isLenient || gathering.isUndecided) return constraints;
  known.set(nodes, constraints);
  if (target) {
    const ofTree = knownTargets.get(gathering.tree) ?? new WeakMap<JsonObject, Constraints>();
    knownTargets.set(gathering.tree, ofTree.set(target, constraints));
  }
  return constraints;
}

/** The schema that the only one leads to, if it is a reference and nothing else. */
function onlyTarget(nodes: readonly SchemaNode[], { tree }: Gathering): JsonObject | undefined {
  const [node] = nodes;
  if (!node || nodes.length !== 1 || node.preferred !== undefined) return undefined;
  const { schema } = node;
  if (!isJsonObject(schema) || typeof schema.$ref !== "string") return undefined;
  for (const keyword in schema) if (keyword !== "$ref") return undefined;
  const target = tree.resolve(schema.$ref, node).schema;
  return isJsonObject(target) ? target : undefined;
}

class Gatherer {
  readonly constraints = new Constraints();
  readonly #gathering: Gathering;
  readonly #added = new Set<Json>();
  readonly #hidden = new Set<string>();
  readonly #tags: Tag[] = [];
  #left = MAX_NODES;

  constructor(gathering: Gathering) {
    this.#gathering = gathering;
  }

  /** `subject` is the place of the outermost schema with a name that the node is a part of. */
  add(node: SchemaNode, subject: string | undefined): void {
    const schema = this.#gathering.tree.read(node);
    if (node.preferred !== undefined) this.constraints.preferred = [...this.constraints.preferred, node.preferred];
    if (schema === false) {
      if (this.#gathering.isLenient) return;
      const keyword = node.at.slice(node.at.lastIndexOf("/") + 1);
      throw this.#contradiction(REFUSING.includes(keyword) ? keyword : "false", "the schema false allows no value");
    }
    if (!isJsonObject(schema) || this.#added.has(node.schema)) return;
    this.#added.add(node.schema);
    if (this.#left-- <= 0) throw this.#contradiction("$ref", "the schema leads back into itself");
    if (UNSURE.some((keyword) => Object.hasOwn(schema, keyword))) this.constraints.unsure.push(node);
    this.#addScalars(schema);
    this.#addItems(node, schema);
    this.#addFields(node, schema);
    this.#addParts(node, schema, subject);
  }

  /** Leaves out hidden fields, and prefers the tags of the alternatives that were chosen. */
  finish(): void {
    const { properties, required, absent } = this.constraints;
    for (const name of this.#hidden) {
      absent.add(name);
      required.delete(name);
      properties.delete(name);
    }
    for (const { name, value } of this.#tags) {
      const nodes = properties.get(name);
      if (!nodes || absent.has(name)) continue;
      properties.set(name, [...nodes, { schema: true, at: "", preferred: value }]);
      required.add(name);
    }
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
    if (schema.default !== undefined) all.defaults = [...all.defaults, schema.default];
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
    if (typeof schema.description === "string") all.description ??= schema.description;
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
    const shared = former ? [...[...former].filter(allows), ...(wider as Type[])] : types;
    if (shared.length === 0) {
      if (this.#gathering.isLenient) return;
      throw this.#contradiction("type", `no type is both ${[...(former ?? [])]} and ${types}`);
    }
    this.constraints.types = new Set(shared);
  }

  #addValues(values: readonly Json[], rule: string): void {
    const former = this.constraints.values;
    const shared = former ? former.filter((one) => values.some((other) => isDeepStrictEqual(one, other))) : values;
    if (shared.length === 0) {
      if (this.#gathering.isLenient) return;
      throw this.#contradiction(rule, "no value is allowed by every list");
    }
    this.constraints.values = shared;
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
    const { tree } = this.#gathering;
    const properties = isJsonObject(schema.properties) ? Object.keys(schema.properties) : [];
    for (const name of properties) {
      const property = inner(node, "properties", name);
      if (tree.isHidden?.(property)) this.#hidden.add(name);
      else all.properties.set(name, [...(all.properties.get(name) ?? []), property]);
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
    if (Array.isArray(schema.required)) {
      // YAML reads names such as `null` and `1` as something else.
      for (const name of schema.required) if (typeof name === "string") all.required.add(name);
    }
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
    if (typeof schema.$ref === "string") parts.push(this.#gathering.tree.resolve(schema.$ref, node));
    for (const part of parts) this.#evaluated(part, names, seen);
    return names;
  }

  #addParts(node: SchemaNode, schema: JsonObject, subject: string | undefined): void {
    const { tree, random, turn, isUndecided } = this.#gathering;
    for (const ref of [schema.$ref, schema.$dynamicRef]) {
      if (typeof ref !== "string") continue;
      const target = tree.resolve(ref, node);
      this.constraints.targets.push(target);
      this.add(target, subject ?? target.at);
    }
    if (Array.isArray(schema.allOf)) {
      for (const position of schema.allOf.keys()) this.add(inner(node, "allOf", position), subject);
    }
    for (const keyword of ["anyOf", "oneOf"]) {
      const list = schema[keyword];
      if (!Array.isArray(list) || list.length === 0) continue;
      const nodes = list.map((_, position) => inner(node, keyword, position));
      if (isUndecided) {
        this.constraints.branches.push(nodes);
        continue;
      }
      const chosen = this.#alternative(nodes);
      this.#tag(tree.tagOf?.(node, chosen));
      this.add(chosen, undefined);
    }
    const base = tree.tagOfBase?.(node, subject);
    this.#tag(base?.tag);
    if (base?.extension) this.add(base.extension, base.extension.at);
    if (isUndecided) {
      this.#addConditional(node, schema);
      return;
    }
    if (schema.if !== undefined) {
      this.constraints.hasAlternatives = true;
      const isMet = turn === undefined ? random.chance(0.5) : turn % 2 === 0;
      if (isMet) this.add(inner(node, "if"), undefined);
      const rest = isMet ? "then" : "else";
      if (schema[rest] !== undefined) this.add(inner(node, rest), undefined);
    }
    if (schema.not !== undefined) this.constraints.hasAlternatives = true;
    if (!isJsonObject(schema.dependentSchemas)) return;
    for (const name of Object.keys(schema.dependentSchemas))
      this.#addDependent(name, inner(node, "dependentSchemas", name));
  }

  #addConditional(node: SchemaNode, schema: JsonObject): void {
    const conditions = [
      ...["then", "else"].flatMap((keyword) => (schema[keyword] === undefined ? [] : [inner(node, keyword)])),
      ...Object.keys(schema.dependentSchemas ?? {}).map((name) => inner(node, "dependentSchemas", name)),
    ];
    for (const condition of conditions) addProperties(this.constraints.conditional, condition);
  }

  #addDependent(name: string, node: SchemaNode): void {
    const { constraints: all } = this;
    all.hasAlternatives = true;
    if (!all.required.has(name) && this.#gathering.random.chance(0.5)) {
      all.absent.add(name);
      return;
    }
    all.required.add(name);
    this.add(node, undefined);
  }

  #tag(tag: Tag | undefined): void {
    if (tag) this.#tags.push(tag);
  }

  #alternative(nodes: readonly SchemaNode[]): SchemaNode {
    if (nodes.length > 1) this.constraints.hasAlternatives = true;
    this.constraints.width = Math.max(this.constraints.width, nodes.length);
    const { turn } = this.#gathering;
    if (turn !== undefined) return inTurn(nodes, turn);
    const shallow = this.#gathering.isDeep
      ? nodes.filter(({ schema }) => !/"\$(dynamicR|r)ef"/.test(JSON.stringify(schema)))
      : [];
    return this.#gathering.random.pick(shallow.length > 0 ? shallow : nodes);
  }
}

function addProperties(to: Map<string, SchemaNode[]>, node: SchemaNode): void {
  const { properties } = isJsonObject(node.schema) ? node.schema : {};
  for (const name of Object.keys(isJsonObject(properties) ? properties : {})) {
    to.set(name, [...(to.get(name) ?? []), inner(node, "properties", name)]);
  }
}

/** Null is the last choice. */
function inTurn(nodes: readonly SchemaNode[], turn: number): SchemaNode {
  const isNull = ({ schema }: SchemaNode): boolean => isJsonObject(schema) && schema.type === "null";
  const ordered = [...nodes.filter((node) => !isNull(node)), ...nodes.filter(isNull)];
  return ordered[turn % ordered.length]!;
}
