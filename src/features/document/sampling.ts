import type { ApiDocument } from "../../api-document/api-document.ts";
import type { Placed } from "../../api-document/references.ts";
import { seedFor } from "../../clock-and-random.ts";
import { BodyGenerator } from "../../hosted/sources/body-generator.ts";
import type { Json } from "../../json.ts";

/** Makes a value that fits a schema; the same one for the same purpose. */
export type Sample = (schema: Placed, purpose: string) => Json | undefined;

export function createSample(document: ApiDocument, seed: number): Sample {
  return (schema, purpose) =>
    new BodyGenerator(document, document.references, seedFor(seed, purpose)).generate(schema, true);
}
