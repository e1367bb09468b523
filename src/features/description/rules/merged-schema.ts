import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import type { Schema } from "../../../schema/references.ts";

/** The type that a keyword is about, for schemas that name none. */
const IMPLIED: Readonly<Record<string, readonly string[]>> = {
  object: [
    "properties",
    "required",
    "additionalProperties",
    "unevaluatedProperties",
    "patternProperties",
    "propertyNames",
  ],
  array: ["items", "prefixItems", "contains", "minItems", "maxItems", "uniqueItems", "unevaluatedItems"],
  string: ["format", "pattern", "minLength", "maxLength", "contentEncoding", "contentMediaType"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
};

/** The keywords that decide the type of a value, of all schemas that judge it. */
export class MergedSchema {
  isImpossible = false;
  types: readonly string[] | undefined;
  readonly implied = new Set<string>();
  /** The allowed values, of `enum` and `const`. */
  values: readonly Json[] | undefined;
  format: string | undefined;
  /** Bounds of numbers. */
  upper = Number.POSITIVE_INFINITY;
  lower = Number.NEGATIVE_INFINITY;
  /** The schemas that judge each field. */
  readonly fields = new Map<string, Schema[]>();
  /** Fields that only conditions name. */
  readonly conditional = new Map<string, Schema[]>();
  readonly required = new Set<string>();
  /** The schemas of fields whose names match a pattern. */
  readonly patterns: Schema[] = [];
  /** The schema of all other fields. */
  others: Schema | undefined;
  readonly items: Schema[] = [];
  first: readonly Schema[] | undefined;
  minItems = 0;
  maxItems = Number.POSITIVE_INFINITY;
  /** The lists of `anyOf` and `oneOf`. */
  readonly branches: (readonly Schema[])[] = [];
  /** The schemas that were referred to. */
  readonly inlined = new Set<JsonObject>();
  readonly #resolve: (ref: string) => Schema;

  constructor(schemas: readonly Schema[], resolve: (ref: string) => Schema) {
    this.#resolve = resolve;
    for (const schema of schemas) this.#add(schema);
  }

  #add(schema: Schema): void {
    if (typeof schema === "boolean") {
      this.isImpossible ||= !schema;
      return;
    }
    for (const ref of [schema.$ref, schema.$dynamicRef]) if (typeof ref === "string") this.#addTarget(ref);
    this.#addKind(schema);
    this.#addNumbers(schema);
    this.#addFields(schema);
    this.#addElements(schema);
    for (const list of [schema.anyOf, schema.oneOf]) if (list) this.branches.push(list as Schema[]);
    for (const inner of (schema.allOf ?? []) as Schema[]) this.#add(inner);
  }

  #addTarget(ref: string): void {
    const target = this.#resolve(ref);
    if (typeof target !== "boolean") {
      if (this.inlined.has(target)) return;
      this.inlined.add(target);
    }
    this.#add(target);
  }

  #addKind(schema: JsonObject): void {
    const { type, format } = schema;
    if (type !== undefined) this.types = both(this.types, [type].flat() as string[]);
    for (const [kind, keywords] of Object.entries(IMPLIED)) {
      if (keywords.some((keyword) => schema[keyword] !== undefined)) this.implied.add(kind);
    }
    if (typeof format === "string") this.format ??= format;
    for (const list of [schema.enum, schema.const === undefined ? undefined : [schema.const]]) {
      if (list !== undefined) this.values = both(this.values, list as Json[]);
    }
  }

  #addNumbers({ minimum, maximum, exclusiveMinimum, exclusiveMaximum, minItems, maxItems }: JsonObject): void {
    for (const bound of [maximum, exclusiveMaximum])
      if (bound !== undefined) this.upper = Math.min(this.upper, Number(bound));
    for (const bound of [minimum, exclusiveMinimum])
      if (bound !== undefined) this.lower = Math.max(this.lower, Number(bound));
    this.minItems = Math.max(this.minItems, Number(minItems ?? 0));
    this.maxItems = Math.min(this.maxItems, Number(maxItems ?? this.maxItems));
  }

  #addFields(schema: JsonObject): void {
    addProperties(this.fields, schema);
    for (const name of (schema.required ?? []) as string[]) this.required.add(name);
    this.patterns.push(...(Object.values(schema.patternProperties ?? {}) as Schema[]));
    const others = (schema.additionalProperties ?? schema.unevaluatedProperties) as Schema | undefined;
    if (others === false || this.others === undefined) this.others = others;
    for (const condition of [schema.then, schema.else, ...Object.values(schema.dependentSchemas ?? {})]) {
      if (isJsonObject(condition)) addProperties(this.conditional, condition);
    }
  }

  #addElements({ items, prefixItems }: JsonObject): void {
    if (items !== undefined) this.items.push(items as Schema);
    if (prefixItems !== undefined) this.first ??= prefixItems as Schema[];
  }
}

function addProperties(to: Map<string, Schema[]>, { properties = {} }: JsonObject): void {
  for (const [name, inner] of Object.entries(properties as Record<string, Schema>)) {
    to.set(name, [...(to.get(name) ?? []), inner]);
  }
}

/** The values of both lists. An integer is a number, too. */
function both<T extends Json>(one: readonly T[] | undefined, other: readonly T[]): readonly T[] {
  if (!one) return other;
  const texts = new Set(other.map((value) => JSON.stringify(value)));
  const common = one.filter((value) => texts.has(JSON.stringify(value)));
  const isWhole = [one, other].every((list) => list.some((value) => value === "integer" || value === "number"));
  if (!isWhole || common.some((value) => value === "integer" || value === "number")) return common;
  return [...common, "integer" as T];
}
