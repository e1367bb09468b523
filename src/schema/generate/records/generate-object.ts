import { type Json, type JsonObject, setField } from "../../../base/json/json.ts";
import { type Constraints, Unsatisfiable } from "../../constraints.ts";
import { within } from "../../pointer.ts";
import { compilePattern } from "../../rules/pattern.ts";
import type { SchemaNode } from "../../schema-tree.ts";
import { textForPattern } from "../pattern/text-for-pattern.ts";
import { isDeep, type Making, type Spot } from "./making.ts";

const MAX_NAME_TRIES = 100;
const MAX_FIELDS = 10_000;
const NAME_LENGTHS = { least: 1, most: 30 };

/** Fields of an object that are decided elsewhere; undefined to leave one out. */
export type Given = ReadonlyMap<string, Json | undefined>;

const NOTHING: Given = new Map();

/** An object with the fields that it must have and most of those that it may have. */
export function generateObject(
  constraints: Constraints,
  spot: Spot,
  making: Making,
  given: Given = NOTHING,
): JsonObject {
  const names = namesFor(constraints, spot, making, given);
  const object: JsonObject = {};
  for (const [name, isNeeded] of names) {
    const value = given.has(name) ? given.get(name) : fieldValue(name, isNeeded, constraints, spot, making);
    if (value !== undefined) setField(object, name, value);
  }
  addNames(object, constraints, spot, making);
  return object;
}

/** The fields to make, in the order of the schema, and whether each must be there. */
function namesFor(constraints: Constraints, spot: Spot, making: Making, given: Given): Map<string, boolean> {
  const { pointer } = spot;
  const { random } = making;
  const { properties, required, maxProperties, minProperties } = constraints;
  const absent = new Set([
    ...constraints.absent,
    ...[...given].flatMap(([name, value]) => (value === undefined ? [name] : [])),
  ]);
  const share = spot.isBare || isDeep(spot, making) ? 0 : making.habits.optionalShare;
  const needed = new Set([...required, ...given.keys()].filter((name) => !(given.has(name) && absent.has(name))));
  const chosen = [...properties.keys()].filter(
    (name) => needed.has(name) || (!absent.has(name) && random.chance(share)),
  );
  const present = new Set([...chosen, ...needed]);
  for (let size = -1; size !== present.size; ) {
    size = present.size;
    for (const [name, others] of constraints.dependentRequired) {
      if (present.has(name)) for (const other of others) present.add(other);
      if (needed.has(name)) for (const other of others) needed.add(other);
    }
  }
  const clash = [...needed].find((name) => absent.has(name));
  if (clash !== undefined)
    throw new Unsatisfiable(pointer, "dependentSchemas", `"${clash}" must be there and must not`);
  const optional = [...present].filter((name) => !needed.has(name));
  const room = maxProperties - needed.size;
  if (room < 0) {
    throw new Unsatisfiable(pointer, "maxProperties", `it is ${maxProperties}, but ${needed.size} fields are required`);
  }
  const missing = [...properties.keys()].filter((name) => !present.has(name) && !absent.has(name));
  const more = Math.max(0, Math.min(room, minProperties - needed.size) - optional.length);
  const kept = new Set([...needed, ...optional.slice(0, room), ...missing.slice(0, more)]);
  dropUnmet(kept, needed, constraints);
  const ordered = [...properties.keys()].filter((name) => kept.has(name));
  const first = [...given.keys()].filter((name) => !properties.has(name) && needed.has(name));
  return new Map([...first, ...ordered, ...kept].map((name) => [name, needed.has(name)]));
}

/** A field whose companions found no room goes as well. */
function dropUnmet(kept: Set<string>, needed: ReadonlySet<string>, { dependentRequired }: Constraints): void {
  for (const [name, others] of dependentRequired) {
    if (kept.has(name) && !needed.has(name) && others.some((other) => !kept.has(other))) kept.delete(name);
  }
}

function fieldValue(
  name: string,
  isNeeded: boolean,
  constraints: Constraints,
  spot: Spot,
  making: Making,
): Json | undefined {
  try {
    return making.generate(nodesFor(name, constraints), spotOf(name, spot));
  } catch (thrown) {
    if (isNeeded || !(thrown instanceof Unsatisfiable) || thrown.rule === "complexity") throw thrown;
    return undefined;
  }
}

export function spotOf(name: string, { pointer, depth, names, above = [] }: Spot): Spot {
  return { pointer: within(pointer, name), depth: depth + 1, names: [name, ...names], above };
}

/** The schemas that the value of a field has to pass. */
export function nodesFor(name: string, constraints: Constraints): readonly SchemaNode[] {
  const { properties, patternProperties, additional, nodes } = constraints;
  const former = nodes.get(name);
  if (former) return former;
  const found = [...(properties.get(name) ?? [])];
  for (const [pattern, node] of patternProperties) if (compilePattern(pattern).test(name)) found.push(node);
  for (const { node, names, patterns } of additional) {
    const isKnown = names.has(name) || patterns.some((pattern) => compilePattern(pattern).test(name));
    if (!isKnown) found.push(node);
  }
  if (properties.has(name)) nodes.set(name, found);
  return found;
}

/** Adds fields that no schema names: as many as are demanded, and a few where the object is a dictionary. */
function addNames(object: JsonObject, constraints: Constraints, spot: Spot, making: Making): void {
  const { minProperties, maxProperties, properties, patternProperties, additional } = constraints;
  const isDictionary =
    properties.size === 0 &&
    (patternProperties.length > 0 || additional.some(({ node }) => making.habits.isDictionary(node.schema)));
  const usual = isDictionary && !spot.isBare && !isDeep(spot, making) ? making.random.between(1, 3) : 0;
  const wanted = Math.min(maxProperties, Math.max(minProperties, Object.keys(object).length + usual));
  if (minProperties > MAX_FIELDS) {
    throw new Unsatisfiable(
      spot.pointer,
      "minProperties",
      `objects with more than ${MAX_FIELDS} fields are not generated`,
    );
  }
  for (let tries = 0; Object.keys(object).length < wanted && tries < MAX_NAME_TRIES + wanted; tries++) {
    const name = newName(constraints, spot, making, tries);
    if (Object.hasOwn(object, name) || constraints.absent.has(name)) continue;
    if (!constraints.propertyNames.every((node) => making.passes(node, name))) continue;
    if (nodesFor(name, constraints).some(({ schema }) => schema === false)) continue;
    const value = fieldValue(name, false, constraints, spot, making);
    if (value !== undefined) setField(object, name, value);
  }
  if (Object.keys(object).length < minProperties) {
    throw new Unsatisfiable(spot.pointer, "minProperties", `no ${minProperties} fields were found`);
  }
}

function newName(constraints: Constraints, spot: Spot, making: Making, tries: number): string {
  const { random } = making;
  const { patternProperties, propertyNames } = constraints;
  if (propertyNames.length > 0 && tries % 2 === 0) {
    const name = making.generate([...propertyNames, { schema: { type: "string" }, at: "" }], spot);
    if (typeof name === "string") return name;
  }
  if (patternProperties.length > 0) {
    const name = textForPattern(random.pick(patternProperties)[0], NAME_LENGTHS, random);
    // A pattern such as ^x- matches longer names as well.
    if (name !== undefined) return random.chance(0.5) ? name : name + random.faker.word.noun();
  }
  const word = random.faker.word.noun();
  return tries < MAX_NAME_TRIES / 2 ? word : `${word}_${tries}`;
}
