import type { Work } from "../../slices.ts";
import { type Json, parseJson } from "../json.ts";
import type { ParseOptions } from "./parse-in-pieces.ts";

/** A worker serves one visitor, so a large text may be parsed at once. */
// biome-ignore lint/correctness/useYield: it has the type of the one that pauses
export function* parseInPieces(text: string, options?: ParseOptions): Work<Json> {
  const value = parseJson(text);
  options?.inspect(value, 1, Array.isArray(value) ? value.length : 0);
  return value;
}
