import { messageOf, StandinError } from "../base/errors.ts";
import { linearPatterns } from "../base/platform/runtime.ts";
import { toEngineDialect } from "./pattern-dialect.ts";

const MAX_PROGRAM_SIZE = 3000;

/** A pattern, ready to be matched in any case. */
export interface Expression {
  test(text: string): boolean;
}

/** Compiles a pattern of JavaScript for the linear-time engine. Throws QUERY_INVALID on a bad one. */
export function compileExpression(parameter: string, pattern: string): Expression {
  const refuse = (reason: string): StandinError =>
    new StandinError("QUERY_INVALID", `${parameter}=${pattern}: ${reason}`);
  // The engine accepts patterns that JavaScript does not, such as ^* and (?i).
  try {
    new RegExp(pattern);
  } catch (thrown) {
    throw refuse(`not a valid pattern (${messageOf(thrown).replace(/^Invalid regular expression: .*: /s, "")}).`);
  }
  // The engine would read \k<name> as the text "k<name>", which is right only if no group has a name.
  if (/\(\?<[^=!]/.test(pattern) && pattern.includes("\\k<")) throw refuse("back-references are not supported.");
  // Loaded by the first pattern that needs it, and synchronously, so that parsing stays synchronous.
  const engine = linearPatterns();
  let expression: ReturnType<typeof engine.compile>;
  try {
    expression = engine.compile(engine.translateRegExp(toEngineDialect(pattern)), engine.CASE_INSENSITIVE);
  } catch (thrown) {
    if (/\(\?<?[=!]/.test(pattern)) throw refuse("look-ahead and look-behind are not supported.");
    if (/\\[1-9]/.test(pattern)) throw refuse("back-references are not supported.");
    throw refuse(`not a valid pattern (${messageOf(thrown).replace(/^error parsing regexp: /, "")}).`);
  }
  if (expression.programSize() > MAX_PROGRAM_SIZE) throw refuse("the pattern is too large; use fewer repetitions.");
  return expression;
}
