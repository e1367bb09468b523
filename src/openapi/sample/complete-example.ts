import type { Json, JsonObject } from "../../base/json/json.ts";
import { cloneJson } from "../../base/json/json.ts";
import { type Constraints, Unsatisfiable } from "../../schema/constraints.ts";
import { gather } from "../../schema/gather.ts";
import { nodesAt } from "../../schema/generate/records/generate-list.ts";
import { generateObject, nodesFor, spotOf } from "../../schema/generate/records/generate-object.ts";
import type { Making, Spot } from "../../schema/generate/records/making.ts";
import type { SchemaNode } from "../../schema/schema-tree.ts";

/** A value that is wanted: its schemas, put together, and its place. */
export interface Wanted {
  readonly nodes: readonly SchemaNode[];
  readonly constraints: Constraints;
  readonly spot: Spot;
}

/**
 * An example as it is, if it passes its schemas. If not, the nearest value that does: of the type that they ask for,
 * without the parts that break them, and with the fields that they require. Undefined if there is none.
 */
export function completeExample(example: Json, wanted: Wanted, making: Making): Json | undefined {
  const { nodes, constraints } = wanted;
  const given = withType(example, constraints);
  const passes = (value: Json): boolean => nodes.every((node) => making.passes(node, value));
  if (passes(given)) return cloneJson(given);
  if (typeof given !== "object" || given === null) return undefined;
  if (constraints.types && !constraints.types.has(Array.isArray(given) ? "array" : "object")) return undefined;
  const completed = attempt(() =>
    Array.isArray(given) ? completeList(given, wanted, making) : completeObject(given, wanted, making),
  );
  return completed !== undefined && passes(completed) ? completed : undefined;
}

/** JSON text where a text is not allowed stands for its value, and a number where a text is wanted for its digits. */
function withType(example: Json, { types }: Constraints): Json {
  if (!types) return example;
  if (typeof example === "string" && !types.has("string")) {
    try {
      return JSON.parse(example) as Json;
    } catch {
      return example;
    }
  }
  const isScalar = typeof example === "number" || typeof example === "boolean";
  const isWanted = types.has("number") || types.has("integer") || types.has("boolean");
  return isScalar && !isWanted && types.has("string") ? String(example) : example;
}

function completeObject(example: JsonObject, { constraints, spot }: Wanted, making: Making): JsonObject {
  const given = new Map<string, Json | undefined>();
  for (const [name, value] of Object.entries(example)) {
    if (constraints.absent.has(name)) continue;
    const completed = completePart(value, { nodes: nodesFor(name, constraints), spot: spotOf(name, spot) }, making);
    if (completed !== undefined) given.set(name, completed);
  }
  return generateObject(constraints, { ...spot, isBare: true }, making, given);
}

function completeList(example: readonly Json[], { constraints, spot }: Wanted, making: Making): Json[] {
  return example.flatMap((item, at) => {
    const inside = { ...spotOf(String(at), spot), names: spot.names };
    return completePart(item, { nodes: nodesAt(constraints, at), spot: inside }, making) ?? [];
  });
}

/** A part that cannot be completed is made. */
function completePart(value: Json, { nodes, spot }: Pick<Wanted, "nodes" | "spot">, making: Making): Json | undefined {
  return attempt(() => {
    const { tree, random } = making;
    const constraints = gather(nodes, { tree, random, pointer: spot.pointer, isDeep: false, turn: 0 });
    return completeExample(value, { nodes, constraints, spot }, making) ?? making.generate(nodes, spot);
  });
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (thrown) {
    if (!(thrown instanceof Unsatisfiable) || thrown.rule === "complexity") throw thrown;
    return undefined;
  }
}
