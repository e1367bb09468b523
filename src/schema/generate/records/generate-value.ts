import type { Json } from "../../../base/json/json.ts";
import { type Constraints, supposedTypes, type Type, VALUE_TYPES } from "../../constraints.ts";
import { gather } from "../../gather.ts";
import type { SchemaNode } from "../../schema-tree.ts";
import { Unsatisfiable } from "../../unsatisfiable.ts";
import { isDeep, type Making, type Spot } from "./making.ts";
import { allowedValue, suits, valueOfType } from "./value-of-type.ts";

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
