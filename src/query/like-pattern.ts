import { StandinError } from "../base/errors.ts";
import { compileExpression, type Expression } from "./compile-expression.ts";
import { compilePieces, isPlainText, type LiteralPieces, literalPieces, requiredLiterals } from "./pattern-literals.ts";

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

/** A compiled `_like` pattern. */
interface Like {
  readonly matches: (text: string) => boolean;
  /** The same for plain texts in lower case; undefined when only the engine can tell. */
  readonly pieces: LiteralPieces | undefined;
  /** Whether matching a text may take long. */
  readonly isSlow: boolean;
  /** Texts, in lower case, that every match contains. */
  readonly literals: readonly string[];
}

/** The time for compiling patterns in one pass over a query. */
const PASS_MS = 5;

/** Thrown where a query has more patterns than fit in one pass: wait for a turn of the loop, and read it again. */
export class PatternsPending extends Error {
  readonly spentMs: number;

  constructor(spentMs: number) {
    super("There are patterns left to compile.");
    this.spentMs = spentMs;
  }
}

/** Queries are read synchronously, so there is one at a time. */
let current: PatternPasses | undefined;

/**
 * The patterns of one query. A hundred of them take longer to compile than others should wait, so reading the query ends
 * when the time of a pass is over. The next pass finds the patterns of those before.
 */
export class PatternPasses {
  #compiled: Map<string, Like> | undefined;
  #passEnd: number | undefined;

  /** Reads the query once; throws `PatternsPending` if there are patterns left to compile. */
  read<Argument, Result>(read: (argument: Argument) => Result, argument: Argument): Result {
    current = this;
    this.#passEnd = undefined;
    try {
      return read(argument);
    } finally {
      current = undefined;
    }
  }

  compile(pattern: string, compile: () => Like): Like {
    const known = this.#compiled?.get(pattern);
    if (known) return known;
    const now = performance.now();
    this.#passEnd ??= now + PASS_MS;
    if (now >= this.#passEnd) throw new PatternsPending(PASS_MS + now - this.#passEnd);
    const like = compile();
    this.#compiled = (this.#compiled ?? new Map<string, Like>()).set(pattern, like);
    return like;
  }
}

/** Compiles a pattern in the pass over the query that is being read; at once where there is none. */
function compileInPass(pattern: string, compile: () => Like): Like {
  return current ? current.compile(pattern, compile) : compile();
}
