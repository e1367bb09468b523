import type { LiteralPieces } from "./wildcards.ts";

/** A compiled `_like` pattern. */
export interface Like {
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
export function compileInPass(pattern: string, compile: () => Like): Like {
  return current ? current.compile(pattern, compile) : compile();
}
