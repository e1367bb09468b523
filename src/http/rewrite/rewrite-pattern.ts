import pathToRegexp, { type Key, type Token } from "path-to-regexp";
import { type KeyMatch, linearMatch } from "./linear-match.ts";
import { UNLIKE_BEFORE } from "./unlike-before.ts";

/** Longer paths are left to the linear engine; below this even three wildcards take a millisecond at most. */
const MAX_BACKTRACKED = 256;
const MAX_WILDCARDS_BACKTRACKED = 3;
/** The same for patterns with more of them, or with a repeated part, which could be tried in millions of ways sooner. */
const MAX_BACKTRACKED_MANY = 24;
/** One part of a path, which is what `:name` takes by itself. */
const ONE_PART = "[^\\/]+?";

/** A pattern such as `/api/:id/*`, made ready. */
export interface PathPattern {
  readonly keys: readonly Key[];
  /** How many keys stand before the query that the pattern names; undefined when it names none. */
  readonly firstQueryKey: number | undefined;
  readonly match: KeyMatch;
}

/** Throws what path-to-regexp throws on a pattern that it cannot read. */
export function compilePath(pattern: string): PathPattern {
  const keys: Key[] = [];
  const native = pathToRegexp(pattern, keys);
  const firstQueryKey = findQuery(pathToRegexp.parse(pattern));
  const matchNatively: KeyMatch = (path) => native.exec(path) ?? undefined;
  const wildcards = countWildcards(keys);
  // `/:part*` can be read in one way only, as each part begins with a slash.
  const isRepeated = keys.some((key) => key.repeat && (key.prefix === "" || key.pattern !== ONE_PART));
  // With two or more wildcards a long path that does not match in the end could be tried in millions of ways.
  if (wildcards < 2 && !isRepeated) return { keys, firstQueryKey, match: matchNatively };
  // A part that cannot hold the text before it leaves little to try.
  const free = countWildcards(keys.filter((key) => key.pattern.search(UNLIKE_BEFORE) === -1));
  const isMany = isRepeated || free > MAX_WILDCARDS_BACKTRACKED;
  const maxBacktracked = isMany ? MAX_BACKTRACKED_MANY : MAX_BACKTRACKED;
  let matchLinearly: KeyMatch | undefined;
  return {
    keys,
    firstQueryKey,
    match(path) {
      if (path.length <= maxBacktracked) return matchNatively(path);
      matchLinearly ??= linearMatch(native, keys) ?? (() => undefined);
      return matchLinearly(path);
    },
  };
}

function countWildcards(keys: readonly Key[]): number {
  return keys.reduce((count, key) => count + wildcardsIn(key), 0);
}

/** In how many places a key may take more or less: `.*a.*` in two, a part of its own between slashes in none. */
function wildcardsIn({ asterisk, repeat, prefix, pattern }: Key): number {
  if (asterisk) return 1;
  if (pattern === ONE_PART) return repeat || prefix !== "/" ? 1 : 0;
  const quantifiers = pattern
    .replace(UNLIKE_BEFORE, "x+")
    .replace(/\\.|\[(?:\\.|[^\]])*\]/g, "x")
    .match(/[*+{]/g);
  return Math.max(1, quantifiers?.length ?? 0);
}

/**
 * Where the query of a pattern begins, in keys before it. A question mark behind a parameter or a group makes that
 * optional; any other stands for itself, with or without a backslash. One that makes optional what a parameter of a query
 * follows (`/posts/:id?_limit=5`) is taken into the capture by path-to-regexp, and so a query all the same.
 */
function findQuery(tokens: readonly Token[]): number | undefined {
  let keys = 0;
  for (const [position, token] of tokens.entries()) {
    if (typeof token === "string") {
      if (token.includes("?")) return keys;
      continue;
    }
    const next = tokens[position + 1];
    const isSwallowed = token.optional && !token.repeat && typeof next === "string" && /^[\w.-]+=/.test(next);
    if (isSwallowed || /\\\?|\[\?\]/.test(token.pattern)) return keys;
    keys++;
  }
  return undefined;
}
