import { StandinError } from "../base/errors.ts";
import { compileExpression, type Expression } from "./compile-expression.ts";
import { compileInPass, type Like } from "./pattern-passes.ts";
import { requiredLiterals } from "./required-literals.ts";
import { compilePieces, isPlainText, literalPieces } from "./wildcards.ts";

/** A pattern without special characters: a plain substring. */
const LITERAL = /^[^\\^$.*+?()[\]{}|]*$/;
/** Matching costs pattern size times text length; this limit and that of the program bound the first factor. */
const MAX_PATTERN_LENGTH = 1000;

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
  if (like.pieces) {
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
    const pieces = literalPieces(pattern);
    return { matches: (text) => literal.test(text), pieces, isSlow: false, literals: [lower] };
  }
  const pieces = literalPieces(pattern);
  if (!pieces) {
    const literals = requiredLiterals(pattern);
    const expression = compileExpression(parameter, pattern);
    return { matches: (text) => expression.test(text), pieces, isSlow: true, literals };
  }
  const literals = pieces.literals.filter((literal) => literal !== "");
  const byPieces = compilePieces(pieces);
  // Such a pattern is always valid, so the engine is needed only for the first text beyond ASCII.
  let expression: Expression | undefined;
  const byEngine = (text: string): boolean => {
    expression ??= compileExpression(parameter, pattern);
    return expression.test(text);
  };
  const matches = (text: string): boolean => (isPlainText(text) ? byPieces(text.toLowerCase()) : byEngine(text));
  return { matches, pieces, isSlow: true, literals };
}
