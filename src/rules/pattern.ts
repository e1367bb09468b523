import { createRequire } from "node:module";
import type { RE2JS } from "re2js";
import { messageOf } from "../errors.ts";
import { toEngineDialect } from "../query/pattern-dialect.ts";

/** Matching costs pattern size times text length; these limits bound the first factor. */
const MAX_PATTERN_LENGTH = 1000;
const MAX_PROGRAM_SIZE = 3000;

const require = createRequire(import.meta.url);

/** A pattern of a schema, compiled for the linear-time engine. */
export interface Pattern {
  readonly source: string;
  /** The work that a character of a text may cost. */
  readonly size: number;
  test(text: string): boolean;
}

/** Patterns by their source; a rules file often repeats one. */
const compiled = new Map<string, Pattern>();
const MAX_COMPILED = 1000;

/** Compiles an unanchored pattern; throws an Error that says why one cannot be used. */
export function compilePattern(source: string): Pattern {
  const known = compiled.get(source);
  if (known) return known;
  const pattern = compile(source);
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  compiled.set(source, pattern);
  return pattern;
}

function compile(source: string): Pattern {
  if (source.length > MAX_PATTERN_LENGTH) {
    throw new Error(`the pattern has ${source.length} characters; at most ${MAX_PATTERN_LENGTH} are allowed.`);
  }
  // Only parsed, never matched: the engine accepts patterns that JavaScript does not, such as ^* and (?i).
  try {
    new RegExp(source, "u");
  } catch (thrown) {
    throw new Error(`not a valid pattern (${messageOf(thrown).replace(/^Invalid regular expression: .*: /s, "")}).`);
  }
  if (/\\k</.test(source)) throw new Error("back-references are not supported.");
  const engine: typeof RE2JS = (require("re2js") as typeof import("re2js")).RE2JS;
  let expression: RE2JS;
  try {
    expression = engine.compile(engine.translateRegExp(toEngineDialect(source, true)));
  } catch (thrown) {
    if (/\(\?<?[=!]/.test(source)) throw new Error("look-ahead and look-behind are not supported.");
    if (/\\[1-9]/.test(source)) throw new Error("back-references are not supported.");
    throw new Error(`not a valid pattern (${messageOf(thrown).replace(/^error parsing regexp: /, "")}).`);
  }
  const size = expression.programSize();
  if (size > MAX_PROGRAM_SIZE) throw new Error("the pattern is too large; use fewer repetitions.");
  return { source, size, test: (text) => expression.test(text) };
}
