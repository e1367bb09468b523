import type { RE2JS } from "re2js";
import { messageOf, StandinError } from "../base/errors.ts";
import { linearPatterns } from "../base/platform/linear-patterns.ts";
import { toEngineDialect } from "./pattern-dialect.ts";
import { compileInPass, type Like } from "./pattern-passes.ts";
import { requiredLiterals } from "./required-literals.ts";
import { compileWildcards, isAscii, isPlainText } from "./wildcards.ts";

/** A pattern without special characters: a plain substring. */
const LITERAL = /^[^\\^$.*+?()[\]{}|]*$/;
/** Matching costs pattern size times text length; these limits bound the first factor. */
const MAX_PATTERN_LENGTH = 1000;
const MAX_PROGRAM_SIZE = 3000;

/** Compiled patterns are kept for the next query, but not the programs of the engine, which may be large. */
const MAX_KEPT_PATTERNS = 100;
const compiled = new Map<string, Like>();

/**
 * Compiles a case-insensitive, unanchored pattern for a linear-time engine, or returns it if it was compiled before.
 * Throws QUERY_INVALID on a bad pattern.
 */
export function compileLike(parameter: string, pattern: string): Like {
  const known = compiled.get(pattern);
  if (known) return known;
  const like = compileInPass(pattern, () => compile(parameter, pattern));
  if (like.matchesLower) {
    if (compiled.size >= MAX_KEPT_PATTERNS) compiled.clear();
    compiled.set(pattern, like);
  }
  return like;
}

function compile(parameter: string, pattern: string): Like {
  if (pattern.length > MAX_PATTERN_LENGTH) {
    throw new StandinError(
      "QUERY_INVALID",
      `${parameter}: the pattern has ${pattern.length} characters; at most ${MAX_PATTERN_LENGTH} are allowed.`,
    );
  }
  if (LITERAL.test(pattern)) {
    // It cannot backtrack, and JavaScript's engine folds case as 0.17 does.
    const literal = new RegExp(pattern, "i");
    const lower = pattern.toLowerCase();
    const matchesLower = isAscii(pattern) ? (text: string) => text.includes(lower) : undefined;
    return { matches: (text) => literal.test(text), matchesLower, isSlow: false, literals: [lower] };
  }
  const literals = requiredLiterals(pattern);
  const byPieces = compileWildcards(pattern);
  if (!byPieces) {
    const expression = compileExpression(parameter, pattern);
    return { matches: (text) => expression.test(text), matchesLower: undefined, isSlow: true, literals };
  }
  // Such a pattern is always valid, so the engine is needed only for the first text beyond ASCII.
  let expression: RE2JS | undefined;
  const byEngine = (text: string): boolean => {
    expression ??= compileExpression(parameter, pattern);
    return expression.test(text);
  };
  const matches = (text: string): boolean => (isPlainText(text) ? byPieces(text.toLowerCase()) : byEngine(text));
  return { matches, matchesLower: byPieces, isSlow: true, literals };
}

function compileExpression(parameter: string, pattern: string): RE2JS {
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
  let expression: RE2JS;
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
