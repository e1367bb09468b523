import { seedFor } from "../../base/clock-and-random.ts";
import { isJsonObject, type Json } from "../../base/json/json.ts";
import { Randomness } from "../../schema/generate/randomness.ts";
import type { Habits } from "../../schema/generate/records/making.ts";
import { createPasses } from "../../schema/passes-schema.ts";
import type { Placed } from "../../schema/references.ts";
import type { SchemaNode } from "../../schema/schema-tree.ts";
import { Unsatisfiable } from "../../schema/unsatisfiable.ts";
import type { Direction } from "../check/direction.ts";
import type { ApiDocument } from "../read/api-document.ts";
import { type Sampling, sampleValue } from "./sample-value.ts";
import { SchemaReader } from "./schema-reader.ts";

export interface SampleOptions {
  /** `response` unless told. */
  readonly direction?: Direction;
  /** Chooses among the values for the same schema; its place unless told. */
  readonly seedText?: string;
  /** Whether values for several seed texts should differ, although the schema has examples. */
  readonly isVaried?: boolean;
  /** The depth from which optional parts are left out; as deep as the value stays small enough unless told. */
  readonly deepFrom?: number;
  /** An example to complete instead of those of the schema. */
  readonly example?: Json;
}

/** Makes values that pass the schemas of an OpenAPI document, the same ones for the same seed. */
export interface Sampler {
  readonly seed: number;
  /** Undefined where the schema allows no value. */
  sample(schema: Placed, options?: SampleOptions): Json | undefined;
  /** Whether a value passes a schema. */
  passes(schema: Placed, value: Json): boolean;
}

/** From these depths on optional parts are left out, one after another, until a value is small enough. */
const DEPTHS = [8, 6, 4, 3, 2, 1, 0];
const MAX_VALUES = 1000;
/** Values that consist of nothing but required parts may be larger. */
const MAX_REQUIRED_VALUES = 10_000;
const USUAL_ITEMS = 2;
/** The examples among values that should differ. */
const VARIED_SHARE = 0.3;

const HABITS: Habits = {
  deepFrom: DEPTHS[0]!,
  optionalShare: 1,
  items: (least) => Math.max(least, USUAL_ITEMS),
  isDictionary: (further) => isJsonObject(further) && Object.keys(further).length > 0,
};

export function createSampler({ references }: Pick<ApiDocument, "references">, seed: number): Sampler {
  const tools = (direction: Direction) => {
    const tree = new SchemaReader(references, direction);
    return { tree, passes: createPasses(tree) };
  };
  const directions = { request: tools("request"), response: tools("response") };
  const random = new Randomness(seed);
  return {
    seed,
    sample(schema, options = {}) {
      const { direction = "response", seedText = schema.place, isVaried = false, example, deepFrom: limit } = options;
      const depths = limit === undefined ? DEPTHS : DEPTHS.filter((depth) => depth <= limit);
      const nodes = [nodeOf(schema, example)];
      if (schema.value === false) return undefined;
      const attempt = (deepFrom: number, values: number, care: Partial<Sampling> = {}): Json => {
        // By its place: a new operation leaves the bodies of the others as they are.
        random.restart(seedFor(seed, seedText));
        const sampling: Sampling = {
          ...directions[direction],
          random,
          habits: { ...HABITS, deepFrom },
          generate: (inner, spot) => sampleValue(inner, spot, sampling),
          budget: { left: values },
          isLenient: false,
          isCut: false,
          exampleShare: isVaried ? VARIED_SHARE : 1,
          ...care,
        };
        return sampleValue(nodes, { pointer: "", depth: 0, names: [] }, sampling);
      };
      return firstOf(depths.length, [
        ...depths.map((depth) => () => attempt(depth, depth === 0 ? MAX_REQUIRED_VALUES : MAX_VALUES)),
        ...depths.map((depth) => () => attempt(depth, MAX_VALUES, { isLenient: true })),
        () => attempt(0, MAX_VALUES, { isLenient: true, isCut: true }),
      ]);
    },
    passes: (schema, value) => directions.response.passes(nodeOf(schema), value),
  };
}

function nodeOf({ value = true, place }: Placed, preferred?: Json): SchemaNode {
  return { schema: value, at: place, ...(preferred === undefined ? {} : { preferred }) };
}

/** The first attempt that succeeds; the strict ones come first. One that fails for another reason than the size would fail again. */
function firstOf(strict: number, attempts: readonly (() => Json)[]): Json | undefined {
  let from = 0;
  for (const [position, attempt] of attempts.entries()) {
    if (position < from) continue;
    try {
      return attempt();
    } catch (thrown) {
      if (!(thrown instanceof Unsatisfiable)) throw thrown;
      if (thrown.rule !== "complexity") from = strict;
    }
  }
  return undefined;
}
