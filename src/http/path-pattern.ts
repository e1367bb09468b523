import { createRequire } from "node:module";
import pathToRegexp, { type Key } from "path-to-regexp";

const require = createRequire(import.meta.url);

/** Longer paths are left to the linear engine; below this even three wildcards take a millisecond at most. */
const MAX_BACKTRACKED = 256;
/** One part of a path, which is what `:name` takes by itself. */
const ONE_PART = "[^\\/]+?";

/** A pattern such as `/api/:id/*`, made ready. */
export interface PathPattern {
  readonly keys: readonly Key[];
  /** The whole match and what each key captured; undefined when the path is another. */
  match(path: string): readonly (string | undefined | null)[] | undefined;
}

/** Throws what path-to-regexp throws on a pattern that it cannot read. */
export function compilePath(pattern: string): PathPattern {
  const keys: Key[] = [];
  const native = pathToRegexp(pattern, keys);
  const matchNatively: PathPattern["match"] = (path) => native.exec(path) ?? undefined;
  // With two or more wildcards a long path that does not match in the end could be tried in millions of ways.
  if (keys.filter((key) => key.asterisk || key.repeat || key.pattern !== ONE_PART).length < 2) {
    return { keys, match: matchNatively };
  }
  const matchLinearly = linearMatch(native) ?? matchNatively;
  return { keys, match: (path) => (path.length > MAX_BACKTRACKED ? matchLinearly(path) : matchNatively(path)) };
}

/** The same on an engine that never goes back; undefined where the pattern asks for what that cannot do. */
function linearMatch({ source }: RegExp): PathPattern["match"] | undefined {
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
