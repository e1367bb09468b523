import type { RE2JS } from "re2js";
import { StandinError } from "../errors.ts";

export function linearPatterns(): typeof RE2JS {
  throw new StandinError("PATH_MALFORMED", "The path is too long for the rewrite rules of a small worker.");
}
