import { RE2JS } from "re2js";

export function linearPatterns(): typeof RE2JS {
  return RE2JS;
}
