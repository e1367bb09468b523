import { isJsonObject, type Json } from "../../base/json/json.ts";
import { seedFor } from "../../base/random.ts";
import { Unsatisfiable } from "../../schema/constraints.ts";
import { Randomness } from "../../schema/generate/randomness.ts";
import type { Habits } from "../../schema/generate/records/making.ts";
import { createPasses } from "../../schema/passes-schema.ts";
import type { Placed } from "../../schema/references.ts";
import type { SchemaNode } from "../../schema/schema-tree.ts";
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
      const fitting = (most: number, isLenient: boolean): Attempted => {
        const [deepest = 0, ...others] = depths;
        const tried = (depth: number, values: number) => attempted(() => attempt(depth, values, { isLenient }));
        const isFinal = (one: Attempted) => one.value !== undefined || (!one.isTooLarge && !isLenient);
        const first = tried(deepest, deepest === 0 ? most : MAX_VALUES);
        if (isFinal(first) || deepest === 0) return first;
        // A value that is too large without optional parts is so at every depth.
        const isLarge = tried(0, MAX_VALUES).isTooLarge;
        for (const depth of isLarge ? [] : others.slice(0, -1)) {
          const one = tried(depth, MAX_VALUES);
          if (isFinal(one)) return one;
        }
        return tried(0, most);
      };
      const strict = fitting(MAX_REQUIRED_VALUES, false).value;
      if (strict !== undefined) return strict;
      const lenient = fitting(MAX_VALUES, true).value;
      if (lenient !== undefined) return lenient;
      return attempted(() => attempt(0, MAX_VALUES, { isLenient: true, isCut: true })).value;
    },
    passes: (schema, value) => directions.response.passes(nodeOf(schema), value),
  };
}

function nodeOf({ value = true, place }: Placed, preferred?: Json): SchemaNode {
  return { schema: value, at: place, ...(preferred === undefined ? {} : { preferred }) };
}

interface Attempted {
  readonly value?: Json;
  readonly isTooLarge: boolean;
}

function attempted(attempt: () => Json): Attempted {
  try {
    return { value: attempt(), isTooLarge: false };
  } catch (thrown) {
    if (!(thrown instanceof Unsatisfiable)) throw thrown;
    return { isTooLarge: thrown.rule === "complexity" };
  }
}
