import { messageOf, StandinError } from "../base/errors.ts";
import { linearPatterns } from "../base/platform/runtime.ts";

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

/** The characters that JavaScript's `\s` matches, as the content of a character class. */
const SPACE =
  "\\t\\n\\v\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}";
const NO_LINE_END = "[^\\n\\r\\x{2028}\\x{2029}]";
/** Escapes that have a meaning for the engine, or are invalid there, but match only the letter in JavaScript. */
const PLAIN_LETTER = /^\\[aAEpPQz\u0080-\uffff]$/;
/** The same for patterns with the flag `u`, where `\p{...}` is a class of characters. */
const PLAIN_LETTER_IN_UNICODE = /^\\[aAEQz\u0080-\uffff]$/;

/**
 * Translates the parts of a JavaScript pattern that mean something else to the linear-time engine. The engine itself
 * translates the rest. `isUnicode` reads it with the flag `u`.
 */
export function toEngineDialect(pattern: string, isUnicode = false): string {
  const plainLetter = isUnicode ? PLAIN_LETTER_IN_UNICODE : PLAIN_LETTER;
  let isInClass = false;
  return pattern.replace(/\\[\s\S]|[[\].]/g, (token) => {
    switch (token) {
      case "[":
        if (isInClass) return "\\[";
        isInClass = true;
        return token;
      case "]":
        isInClass = false;
        return token;
      case ".":
        return isInClass ? token : NO_LINE_END;
      case "\\s":
        return isInClass ? SPACE : `[${SPACE}]`;
      case "\\S":
        return isInClass ? token : `[^${SPACE}]`;
      case "\\b":
        return isInClass ? "\\x08" : token;
      default:
        return plainLetter.test(token) ? token.slice(1) : token;
    }
  });
}
