import type { ApiDocument } from "../../api-document/api-document.ts";
import type { Placed } from "../../api-document/references.ts";
import { createSampler } from "../../api-document/sample/sampler.ts";
import type { Json } from "../../json.ts";

/**
 * Makes a value that passes a schema; the same one for the same purpose. Values for other purposes than the place of the
 * schema belong to different records, so they differ even where the schema has examples.
 */
export type Sample = (schema: Placed, purpose: string) => Json | undefined;

export function createSample(document: ApiDocument, seed: number): Sample {
  const sampler = createSampler(document, seed);
  return (schema, purpose) => sampler.sample(schema, { seedText: purpose, isVaried: purpose !== schema.place });
}
