import type { RE2JS } from "re2js";
import { messageOf } from "../../base/errors.ts";
import { linearPatterns } from "../../base/platform/runtime.ts";
import { toEngineDialect } from "../../query/compile-expression.ts";
import { type PatternSource, readLiteral, readPatternSource } from "./pattern-source.ts";

/** Matching costs pattern size times text length; these limits bound the first factor. */
const MAX_PATTERN_LENGTH = 1000;
const MAX_PROGRAM_SIZE = 3000;

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

/**
 * Characters, classes, groups and small repetitions: every pattern of these that JavaScript accepts, the engine accepts, too.
 * Each alternative begins with another character, so that this one cannot backtrack.
 */
const ORDINARY =
  /^(?:[^\\()[\]{}]|\\[dDwWsSbB.*+?^$|/()[\]{}\\-]|\[(?:[^\\\]]|\\[dDwWsS.*+?^$|/()[\]{}\\-])+\]|\(\?:|\((?!\?)|\)(?!\{)|\{\d{1,2}(?:,\d{0,2})?\})*$/;
const REPETITION = /\{(\d+)(?:,(\d*))?\}/g;
/** The most repetitions of an ordinary pattern, all of them together. */
const MAX_REPETITIONS = 300;

function compile(source: string): Pattern {
  if (source.length > MAX_PATTERN_LENGTH) {
    throw new Error(`the pattern has ${source.length} characters; at most ${MAX_PATTERN_LENGTH} are allowed.`);
  }
  // Only parsed, never matched: the engine accepts patterns that JavaScript does not, such as ^* and (?i).
  try {
    new RegExp(readLiteral(source).body, "u");
  } catch (thrown) {
    throw new Error(`not a valid pattern (${messageOf(thrown).replace(/^Invalid regular expression: .*: /s, "")}).`);
  }
  if (isOrdinary(source)) return compiledLater(source);
  const parts = readPatternSource(source);
  const expression = compileExpression(parts);
  const ahead = parts.ahead.map(({ body, isWanted }) => {
    return { isWanted, expression: compileExpression({ ...parts, body }) };
  });
  const size = ahead.reduce((sum, one) => sum + one.expression.programSize(), expression.programSize());
  if (size > MAX_PROGRAM_SIZE) throw new Error("the pattern is too large; use fewer repetitions.");
  return {
    source,
    size,
    test: (text) => expression.test(text) && ahead.every((one) => one.expression.test(text) === one.isWanted),
  };
}

function isOrdinary(source: string): boolean {
  if (!ORDINARY.test(source)) return false;
  let repetitions = 0;
  for (const [, least, most] of source.matchAll(REPETITION)) repetitions += Math.max(Number(least), Number(most ?? 0));
  return repetitions <= MAX_REPETITIONS;
}

/** Loading the engine takes a part of a start that only the first match is worth. */
function compiledLater(source: string): Pattern {
  let expression: RE2JS | undefined;
  return {
    source,
    get size() {
      expression ??= compileExpression(readLiteral(source));
      return expression.programSize();
    },
    test(text) {
      expression ??= compileExpression(readLiteral(source));
      return expression.test(text);
    },
  };
}

function compileExpression({ body: source, ignoresCase }: Omit<PatternSource, "ahead">): RE2JS {
  if (/\\k</.test(source)) throw new Error("back-references are not supported.");
  const engine = linearPatterns();
  let expression: RE2JS;
  try {
    const translated = engine.translateRegExp(toEngineDialect(source, true));
    expression = engine.compile(translated, ignoresCase ? engine.CASE_INSENSITIVE : 0);
  } catch (thrown) {
    if (/\(\?<?[=!]/.test(source)) throw new Error("look-ahead and look-behind are not supported.");
    if (/\\[1-9]/.test(source)) throw new Error("back-references are not supported.");
    throw new Error(`not a valid pattern (${messageOf(thrown).replace(/^error parsing regexp: /, "")}).`);
  }
  return expression;
}
