import { cloneJson, isJsonObject, type Json } from "../../base/json/json.ts";
import { type Constraints, supposedTypes, type Type, Unsatisfiable } from "../../schema/constraints.ts";
import { gather } from "../../schema/gather.ts";
import { allowedValue, valueOfType } from "../../schema/generate/records/generate-value.ts";
import { isDeep, type Making, type Spot } from "../../schema/generate/records/making.ts";
import type { SchemaNode } from "../../schema/schema-tree.ts";
import { completeExample, type Wanted } from "./complete-example.ts";
import { isTelling } from "./telling-example.ts";
import { toldValue } from "./told-value.ts";

/** Names of texts that tell what a record is, which is the same for all. */
const OF_KINDS = ["object", "kind", "type"];
/** A schema may stand this often within itself. */
const MAX_ROUNDS = 2;
const MAX_DEPTH = 60;
const MAX_TURNS = 16;
const USUAL_TURNS = 8;

export interface Sampling extends Making {
  /** Whether a value that breaks its schema is better than none. */
  readonly isLenient: boolean;
  /** How many of the values are examples, where there are any. */
  readonly exampleShare: number;
  /** Whether a value that is too large ends in empty parts. */
  readonly isCut: boolean;
}

/**
 * A value that passes all schemas: an example of theirs, else one that is made. Alternatives are tried in the order of the
 * document, first with all optional fields and then without. Throws `Unsatisfiable` if nothing passes.
 */
export function sampleValue(nodes: readonly SchemaNode[], spot: Spot, sampling: Sampling): Json {
  const { pointer, depth } = spot;
  if (sampling.budget.left-- <= 0) {
    if (sampling.isCut) return emptyValue(nodes, spot, sampling);
    throw new Unsatisfiable(pointer, "complexity", "the value is too large");
  }
  if (depth > MAX_DEPTH) throw new Unsatisfiable(pointer, "$ref", "the schema requires itself without end");
  let failure: unknown;
  let broken: { readonly value: Json } | undefined;
  let isNullable = false;
  let turns = USUAL_TURNS;
  for (let turn = 0; turn < turns; turn++) {
    try {
      const constraints = gather(nodes, gathering(spot, sampling, turn));
      const { width, unsure, types, values } = constraints;
      const targets = constraints.targets.map(({ at }) => at);
      isNullable ||= types?.has("null") === true || values?.includes(null) === true;
      const mayDiffer = constraints.hasAlternatives || unsure.length > 0;
      turns = mayDiffer ? Math.min(MAX_TURNS, width * 2 + 1) : 1;
      refuseCircle(targets, spot);
      const inside = { ...insideOf(spot, targets), isBare: turn >= width };
      const value = valueFor({ nodes, constraints, spot: inside }, sampling, turn);
      if (unsure.every((node) => sampling.passes(node, value))) return value;
      broken ??= { value };
      failure ??= new Unsatisfiable(pointer, "oneOf", "no value was found that passes it");
    } catch (thrown) {
      if (!(thrown instanceof Unsatisfiable) || thrown.rule === "complexity") throw thrown;
      failure ??= thrown;
    }
  }
  if (isNullable && nodes.every((node) => sampling.passes(node, null))) return null;
  if (sampling.isLenient) return broken ? broken.value : emptyValue(nodes, spot, sampling);
  throw failure;
}

function gathering(spot: Spot, sampling: Sampling, turn: number) {
  const { tree, random, isLenient } = sampling;
  return { tree, random, pointer: spot.pointer, isDeep: isDeep(spot, sampling), turn, isLenient };
}

/** The name of a schema says what its fields are about: the name of a Pet. */
function insideOf(spot: Spot, targets: readonly string[]): Spot {
  if (targets.length === 0) return spot;
  const [name = "", ...around] = spot.names;
  const schemas = targets.map((target) => target.slice(target.lastIndexOf("/") + 1));
  return { ...spot, above: [...(spot.above ?? []), ...targets], names: [name, ...schemas, ...around] };
}

function refuseCircle(targets: readonly string[], { above = [], pointer }: Spot): void {
  const circling = targets.find((target) => above.filter((one) => one === target).length >= MAX_ROUNDS);
  if (circling !== undefined) throw new Unsatisfiable(pointer, "$ref", `${circling} leads back into itself`);
}

function valueFor(wanted: Wanted, sampling: Sampling, turn: number): Json {
  const { constraints, spot } = wanted;
  const { preferred, examples, defaults, values } = constraints;
  if (!spot.isVaried && !spot.isBare) {
    const isExample =
      sampling.exampleShare === 1 ||
      (!values && OF_KINDS.includes(spot.names[0] ?? "")) ||
      sampling.random.chance(sampling.exampleShare);
    const isWanted = (example: Json): boolean => sampling.exampleShare === 1 || isTelling(example);
    for (const example of [...preferred, ...(isExample ? [...examples.filter(isWanted), ...defaults] : [])]) {
      const completed = completeExample(example, wanted, sampling);
      if (completed !== undefined) return completed;
    }
  }
  if (values) {
    const others = values.filter((value) => value !== null);
    return allowedValue(others.length > 0 ? { ...constraints, values: others } : constraints, spot, sampling);
  }
  const type = typeFor(constraints, turn);
  const told = toldValue(type, wanted, sampling.random);
  const isFitting = told !== undefined && wanted.nodes.every((node) => sampling.passes(node, told));
  if (isFitting) return told;
  const value = valueOfType(type, constraints, spot, sampling);
  return Array.isArray(value) && isDeep({ ...spot, depth: spot.depth + 1 }, sampling)
    ? withoutEmpty(value, constraints)
    : value;
}

/** Where optional parts are left out, a list of objects that are nothing but these tells nothing. */
function withoutEmpty(values: readonly Json[], { minItems }: Constraints): Json[] {
  const isEmpty = (one: Json): boolean => isJsonObject(one) && Object.keys(one).length === 0;
  return values.every(isEmpty) ? values.slice(0, minItems) : [...values];
}

/** The first type that is named, else the one that the other keywords are made for. */
function typeFor(constraints: Constraints, turn: number): Type {
  const { types } = constraints;
  if (!types) return supposedTypes(constraints)[0] ?? "string";
  const others = [...types].filter((type) => type !== "null");
  return others[turn % others.length] ?? "null";
}

/** The least value of the type that is asked for. */
function emptyValue(nodes: readonly SchemaNode[], spot: Spot, sampling: Sampling): Json {
  const constraints = gather(nodes, gathering(spot, sampling, 0));
  const { preferred, examples, values } = constraints;
  const given = values?.[0] ?? preferred[0] ?? examples[0];
  if (given !== undefined) return cloneJson(given);
  const empty: Record<Type, Json> = {
    string: "",
    number: 0,
    integer: 0,
    boolean: false,
    array: [],
    object: {},
    null: null,
  };
  return empty[typeFor(constraints, 0)];
}
