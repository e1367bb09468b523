import { createRequire } from "node:module";
import pathToRegexp, { type Key, type Token } from "path-to-regexp";

const require = createRequire(import.meta.url);

/** Longer paths are left to the linear engine; below this even three wildcards take a millisecond at most. */
const MAX_BACKTRACKED = 256;
/** One part of a path, which is what `:name` takes by itself. */
const ONE_PART = "[^\\/]+?";

/** A pattern such as `/api/:id/*`, made ready. */
export interface PathPattern {
  readonly keys: readonly Key[];
  /** How many keys stand before the query that the pattern names; undefined when it names none. */
  readonly firstQueryKey: number | undefined;
  /** The whole match and what each key captured; undefined when the path is another. */
  match(path: string): readonly (string | undefined | null)[] | undefined;
}

/** Throws what path-to-regexp throws on a pattern that it cannot read. */
export function compilePath(pattern: string): PathPattern {
  const keys: Key[] = [];
  const native = pathToRegexp(pattern, keys);
  const firstQueryKey = findQuery(pathToRegexp.parse(pattern));
  const matchNatively: PathPattern["match"] = (path) => native.exec(path) ?? undefined;
  // With two or more wildcards a long path that does not match in the end could be tried in millions of ways.
  if (keys.filter((key) => key.asterisk || key.repeat || key.pattern !== ONE_PART).length < 2) {
    return { keys, firstQueryKey, match: matchNatively };
  }
  const matchLinearly = linearMatch(native) ?? matchNatively;
  return {
    keys,
    firstQueryKey,
    match: (path) => (path.length > MAX_BACKTRACKED ? matchLinearly(path) : matchNatively(path)),
  };
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

/** The same on an engine that never goes back; undefined where the pattern asks for what that cannot do. */
function linearMatch({ source }: RegExp): PathPattern["match"] | undefined {
  if (source.includes("(?!")) return undefined;
  // Loaded only for such a pattern.
  const { RE2JS } = require("re2js") as typeof import("re2js");
  try {
    // The one look-ahead that every such pattern ends in says no more than this.
    const translated = RE2JS.translateRegExp(source.replace("(?:\\/(?=$))?$", "\\/?$"));
    const engine = RE2JS.compile(translated, RE2JS.CASE_INSENSITIVE);
    return (path) => {
      const matcher = engine.matcher(path);
      if (!matcher.find()) return undefined;
      return Array.from({ length: matcher.groupCount() + 1 }, (_, group) => matcher.group(group));
    };
  } catch {
    return undefined;
  }
}
