/** Facts and functions of the platform that the program runs on. */
import { createRequire } from "node:module";

export { METHODS, validateHeaderName, validateHeaderValue } from "node:http";
export { availableParallelism } from "node:os";
export { getHeapStatistics } from "node:v8";

export const { cpuUsage } = process;

/** Whether connections to any address can be made, and checked. */
export const hasSockets = true;

const require = createRequire(import.meta.url);

/** The engine of patterns in linear time; loaded when first used, since it is large. */
export function linearPatterns(): typeof import("re2js").RE2JS {
  return (require("re2js") as typeof import("re2js")).RE2JS;
}
