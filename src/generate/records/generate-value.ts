import type { Json } from "../../json.ts";
import type { Randomness } from "../randomness.ts";
import { type Constraints, gather, TYPES, type Type } from "./constraints.ts";
import { generateList } from "./generate-list.ts";
import { generateNumber } from "./generate-number.ts";
import { generateObject } from "./generate-object.ts";
import { generateText } from "./generate-text.ts";
import { isDeep, type Making, type Spot } from "./making.ts";
import type { SchemaNode } from "./schema-tree.ts";
import { Unsatisfiable } from "./unsatisfiable.ts";

/** A schema that requires values this deep requires them without end. */
const MAX_DEPTH = 60;
const MAX_TRIES = 40;
const NULL_SHARE = 0.1;
const EXAMPLE_SHARE = 0.5;

/** A value that passes all schemas; throws `Unsatisfiable` if none was found. */
export function generateValue(nodes: readonly SchemaNode[], spot: Spot, making: Making): Json {
  const { pointer, depth } = spot;
  let failure: unknown;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (making.budget.left-- <= 0)
      throw new Unsatisfiable(pointer, "complexity", "too many tries; the rules are too narrow");
    if (depth > MAX_DEPTH) throw new Unsatisfiable(pointer, "$ref", "the schema requires itself without end");
    let mayDiffer = false;
    try {
      const { tree, random } = making;
      const constraints = gather(nodes, { tree, random, pointer, isDeep: isDeep(spot) });
      mayDiffer = constraints.hasAlternatives || constraints.unsure.length > 0;
      const value = valueFor(constraints, spot, making, tries);
      const broken = constraints.unsure.find((node) => !making.passes(node, value));
      if (!broken) return value;
      failure = new Unsatisfiable(pointer, unsureRule(broken), "no value was found that passes it");
    } catch (thrown) {
      if (!(thrown instanceof Unsatisfiable)) throw thrown;
      failure = thrown;
      // Contradictions between alternatives may show only while they are put together.
      mayDiffer ||= nodes.some(({ schema }) => /"(anyOf|oneOf|if|not|dependentSchemas)"/.test(JSON.stringify(schema)));
      if (!mayDiffer) throw thrown;
    }
  }
  throw failure;
}

function unsureRule({ schema }: SchemaNode): string {
  const keywords = ["oneOf", "anyOf", "not", "if", "dependentSchemas", "unevaluatedProperties", "unevaluatedItems"];
  return keywords.find((keyword) => Object.hasOwn(schema as object, keyword)) ?? "contains";
}

function valueFor(constraints: Constraints, spot: Spot, making: Making, tries: number): Json {
  const { random } = making;
  if (constraints.values) return allowedValue(constraints, spot, making);
  const { examples } = constraints;
  if (examples.length > 0 && random.chance(EXAMPLE_SHARE)) {
    const example = random.pick(examples);
    if (typeof example !== "object" && suits(example, constraints)) return example;
  }
  switch (typeFor(constraints, spot, random, tries)) {
    case "null":
      return null;
    case "boolean":
      return random.chance(0.5);
    case "integer":
      return generateNumber(constraints, spot, random, true);
    case "number":
      return generateNumber(constraints, spot, random, false);
    case "string":
      return generateText(constraints, spot, random);
    case "array":
      return generateList(constraints, spot, making);
    case "object":
      return generateObject(constraints, spot, making);
  }
}

/** One of the listed values that also keeps the other keywords. */
function allowedValue(constraints: Constraints, { pointer }: Spot, { random }: Making): Json {
  const found = random.shuffled(constraints.values!).find((value) => suits(value, constraints));
  if (found === undefined) throw new Unsatisfiable(pointer, "enum", "no listed value keeps the other rules");
  return typeof found === "object" ? structuredClone(found) : found;
}

/** A first look at a value that was not made for these constraints: its type, and its range or length. */
function suits(
  value: Json,
  { types, minimum, maximum, exclusiveMinimum, exclusiveMaximum, minLength, maxLength }: Constraints,
): boolean {
  if (types && !typesOf(value).some((type) => types.has(type))) return false;
  if (typeof value === "number") {
    return value >= minimum && value <= maximum && value > exclusiveMinimum && value < exclusiveMaximum;
  }
  if (typeof value !== "string") return true;
  const { length } = [...value];
  return length >= minLength && length <= maxLength;
}

function typesOf(value: Json): Type[] {
  if (value === null) return ["null"];
  if (Array.isArray(value)) return ["array"];
  if (typeof value === "number") return Number.isInteger(value) ? ["integer", "number"] : ["number"];
  return [typeof value as Type];
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
  ["string", ["pattern", "format", "minLength", "maxLength"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
];

function typeFor({ types, keywords }: Constraints, { depth, names }: Spot, random: Randomness, tries: number): Type {
  if (types) {
    const others = [...types].filter((type) => type !== "null");
    if (others.length === 0 || (types.has("null") && (isDeep({ depth }) || random.chance(NULL_SHARE)))) return "null";
    return random.pick(others);
  }
  // Where texts fail, one of the other types may pass.
  if (tries > 0 && tries % 2 === 0) return random.pick(TYPES);
  const supposed = SUPPOSED.find(([, words]) => words.some((word) => keywords.has(word)));
  return supposed?.[0] ?? (depth === 0 && names.length <= 1 ? "object" : "string");
}
