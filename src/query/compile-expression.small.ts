import { messageOf, StandinError } from "../base/errors.ts";

/** The browser's engine goes back: each open repetition multiplies the ways to read a text by its length. */
const MAX_REPETITIONS = 3;

/**
 * Compiles a pattern for the engine of the browser, in place of the linear one, which is as large as a fifth of a worker.
 * Refuses what that refuses, and patterns that this one could take too long for: only the visitor's own page would wait, but
 * for good.
 */
export function compileExpression(parameter: string, pattern: string): RegExp {
  const refuse = (reason: string): StandinError =>
    new StandinError("QUERY_INVALID", `${parameter}=${pattern}: ${reason}`);
  const bare = pattern.replace(/\\[^1-9k]/g, "x").replace(/\[[^\]]*\]/g, "x");
  if (/\\[1-9k]/.test(bare)) throw refuse("back-references are not supported.");
  if (/\(\?<?[=!]/.test(bare)) throw refuse("look-ahead and look-behind are not supported.");
  const repetitions = bare.match(/[*+]|\{\d+,\d*\}/g) ?? [];
  if (/\)[*+{]/.test(bare) || repetitions.length > MAX_REPETITIONS) {
    throw refuse(`a small worker repeats no groups, and at most ${MAX_REPETITIONS} characters. Use the whole worker.`);
  }
  try {
    return new RegExp(pattern, "i");
  } catch (thrown) {
    throw refuse(`not a valid pattern (${messageOf(thrown).replace(/^Invalid regular expression: .*: /s, "")}).`);
  }
}
