import type { Json } from "../../../base/json/json.ts";
import { cloneJson } from "../../../base/json/json.ts";
import type { ApiDocument } from "../../../openapi/read/api-document.ts";
import { createSampler } from "../../../openapi/sample/sampler.ts";
import type { Placed } from "../../../schema/references.ts";

/** Optional parts of light values are left out from this depth on. */
const LIGHT_DEPTH = 2;

/**
 * Makes a value that passes a schema; the same one for the same purpose. Values for other purposes than the place of the
 * schema belong to different records, so they differ even where the schema has examples.
 */
export type MakeSample = (schema: Placed, purpose: string) => Json | undefined;

export interface DocumentSampling {
  readonly sample: MakeSample;
  /** Makes values with fewer optional parts, which takes less time. */
  readonly sampleLight: MakeSample;
  /** Whether a value passes a schema. Compiles nothing, so it is fast for schemas that are used once. */
  passes(schema: Placed, value: Json): boolean;
}

export function createSampling(document: ApiDocument, seed: number): DocumentSampling {
  const sampler = createSampler(document, seed);
  const isVaried = (schema: Placed, purpose: string): boolean => purpose !== schema.place;
  return {
    sample: (schema, purpose) => sampler.sample(schema, { seedText: purpose, isVaried: isVaried(schema, purpose) }),
    sampleLight: (schema, purpose) =>
      sampler.sample(schema, { seedText: purpose, isVaried: isVaried(schema, purpose), deepFrom: LIGHT_DEPTH }),
    passes: sampler.passes,
  };
}

/** Makes each value once: the first record of a collection is asked for twice. */
export function remembering(sample: MakeSample): MakeSample {
  const made = new Map<string, Json | undefined>();
  return (schema, purpose) => {
    if (!made.has(purpose)) made.set(purpose, sample(schema, purpose));
    return cloneJson(made.get(purpose));
  };
}
