import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** The engine of patterns in linear time; loaded when first used, since it is large. */
export function linearPatterns(): typeof import("re2js").RE2JS {
  return (require("re2js") as typeof import("re2js")).RE2JS;
}
