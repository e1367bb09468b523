import { isJsonObject, type Json } from "../base/json/json.ts";
import type { SchemaNode } from "./schema-tree.ts";

export const VALUE_TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"] as const;
export type Type = (typeof VALUE_TYPES)[number];

/** Fields that are neither named nor match a pattern have to pass `node`. */
interface Additional {
  readonly node: SchemaNode;
  readonly names: ReadonlySet<string>;
  readonly patterns: readonly string[];
}

interface Contains {
  readonly node: SchemaNode;
  readonly least: number;
  readonly most: number;
}

/** The keywords of several schemas that one value has to pass, put together. Alternatives are decided at random. */
export class Constraints {
  types: ReadonlySet<Type> | undefined;
  /** The only allowed values, of `enum` and `const`. */
  values: readonly Json[] | undefined;
  /** Values to try before all others. */
  preferred: readonly Json[] = [];
  examples: readonly Json[] = [];
  defaults: readonly Json[] = [];
  minimum = Number.NEGATIVE_INFINITY;
  maximum = Number.POSITIVE_INFINITY;
  exclusiveMinimum = Number.NEGATIVE_INFINITY;
  exclusiveMaximum = Number.POSITIVE_INFINITY;
  readonly multiples: number[] = [];
  minLength = 0;
  maxLength = Number.POSITIVE_INFINITY;
  readonly patterns: string[] = [];
  readonly formats: string[] = [];
  /** It may name the usual texts. */
  description: string | undefined;
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
  /** The most alternatives that there are to one choice. */
  width = 1;
  /** The schemas that references led to. */
  readonly targets: SchemaNode[] = [];
  /** Alternatives that were not decided, and the fields that only conditions name. */
  readonly branches: (readonly SchemaNode[])[] = [];
  readonly conditional = new Map<string, SchemaNode[]>();
  /** The schemas of a field, by its name, once they were asked for. */
  readonly nodes = new Map<string, readonly SchemaNode[]>();
  /** The same for the items of a list, by their position; all behind the first ones are alike. */
  readonly itemNodes = new Map<number, readonly SchemaNode[]>();
  /** Keywords met, which tell the type where none is given. */
  readonly keywords = new Set<string>();
}

/** Keywords that suppose a type without saying so. */
const SUPPOSED: readonly (readonly [Type, readonly string[]])[] = [
  [
    "object",
    [
      "properties",
      "required",
      "additionalProperties",
      "patternProperties",
      "minProperties",
      "propertyNames",
      "dependentRequired",
      "dependentSchemas",
      "unevaluatedProperties",
    ],
  ],
  ["array", ["items", "prefixItems", "contains", "minItems", "maxItems", "uniqueItems", "unevaluatedItems"]],
  ["string", ["pattern", "format", "minLength", "maxLength", "contentEncoding", "contentMediaType"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
];

/** The types that the keywords suppose where none is given. */
export function supposedTypes({ keywords }: Constraints): Type[] {
  return SUPPOSED.flatMap(([type, words]) => (words.some((word) => keywords.has(word)) ? [type] : []));
}

/** Whether a value is of a type of JSON Schema. */
export function hasType(value: Json, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isJsonObject(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

/** No value was found that keeps a rule. */
export class Unsatisfiable extends Error {
  override readonly name = "Unsatisfiable";
  /** The place of the value in the record, as a JSON pointer. */
  readonly pointer: string;
  /** The keyword that cannot be kept. */
  readonly rule: string;

  constructor(pointer: string, rule: string, message: string) {
    super(message);
    this.pointer = pointer;
    this.rule = rule;
  }
}
