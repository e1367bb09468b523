import { cloneJson, type Json } from "../../../base/json/json.ts";
import { type Constraints, hasType, supposedTypes, type Type, Unsatisfiable, VALUE_TYPES } from "../../constraints.ts";
import { gather } from "../../gather.ts";
import type { SchemaNode } from "../../schema-tree.ts";
import { generateList } from "./generate-list.ts";
import { generateNumber } from "./generate-number.ts";
import { generateObject } from "./generate-object.ts";
import { generateText } from "./generate-text.ts";
import { isDeep, type Making, type Spot } from "./making.ts";

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
      const constraints = gather(nodes, { tree, random, pointer, isDeep: isDeep(spot, making) });
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
  return valueOfType(typeFor(constraints, spot, making, tries), constraints, spot, making);
}

function typeFor(constraints: Constraints, spot: Spot, making: Making, tries: number): Type {
  const { types } = constraints;
  const { random, habits } = making;
  if (types) {
    const others = [...types].filter((type) => type !== "null");
    const isNull = (): boolean => isDeep(spot, making) || random.chance(habits.nullShare ?? NULL_SHARE);
    if (others.length === 0 || (types.has("null") && isNull())) return "null";
    return random.pick(others);
  }
  // Where texts fail, one of the other types may pass.
  if (tries > 0 && tries % 2 === 0) return random.pick(VALUE_TYPES);
  return supposedTypes(constraints)[0] ?? (spot.depth === 0 && spot.names.length <= 1 ? "object" : "string");
}

/** A value of one type that keeps the constraints. */
export function valueOfType(type: Type, constraints: Constraints, spot: Spot, making: Making): Json {
  const { random } = making;
  switch (type) {
    case "null":
      return null;
    case "boolean":
      return random.chance(0.5);
    case "integer":
      return generateNumber(constraints, spot, random, true);
    case "number":
      return generateNumber(constraints, spot, random, isId(constraints, spot));
    case "string":
      return generateText(constraints, spot, random);
    case "array":
      return generateList(constraints, spot, making);
    case "object":
      return generateObject(constraints, spot, making);
  }
}

/** One of the listed values that also keeps the other keywords. */
export function allowedValue(constraints: Constraints, { pointer }: Spot, { random }: Making): Json {
  const found = random.shuffled(constraints.values!).find((value) => suits(value, constraints));
  if (found === undefined) throw new Unsatisfiable(pointer, "enum", "no listed value keeps the other rules");
  return typeof found === "object" ? cloneJson(found) : found;
}

/** A first look at a value that was not made for these constraints: its type, and its range or length. */
function suits(
  value: Json,
  { types, minimum, maximum, exclusiveMinimum, exclusiveMaximum, minLength, maxLength }: Constraints,
): boolean {
  if (types && ![...types].some((type) => hasType(value, type))) return false;
  if (typeof value === "number") {
    return value >= minimum && value <= maximum && value > exclusiveMinimum && value < exclusiveMaximum;
  }
  if (typeof value !== "string") return true;
  const { length } = [...value];
  return length >= minLength && length <= maxLength;
}

/** An id is a whole number, even where its schema allows others. */
function isId(constraints: Constraints, { names: [name = ""] }: Spot): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = constraints;
  const room = Math.min(maximum, exclusiveMaximum) - Math.max(minimum, exclusiveMinimum);
  return /(?:^|_)id$|[a-z]I[dD]$/.test(name) && room > 2;
}
