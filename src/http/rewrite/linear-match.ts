import type { Key } from "path-to-regexp";
import { linearPatterns } from "../../base/platform/runtime.ts";
import { UNLIKE_BEFORE } from "./unlike-before.ts";

/** The whole match and what each key captured; undefined when the path is another. */
export type KeyMatch = (path: string) => readonly (string | undefined | null)[] | undefined;

/**
 * The same on an engine that never goes back; undefined where the pattern asks for what that cannot do. It has no
 * look-ahead: for one character a class says the same, for more the result is checked.
 */
export function linearMatch({ source }: RegExp, keys: readonly Key[]): KeyMatch | undefined {
  // Loaded only for a long path.
  const RE2JS = linearPatterns();
  try {
    const translated = source
      .replaceAll(UNLIKE_BEFORE, (_, before: string, delimiter: string) =>
        isOneCharacter(before) ? `[^${before}${delimiter}]+?` : `[^${delimiter}]+?`,
      )
      // The one look-ahead that every such pattern ends in says no more than this.
      .replace("(?:\\/(?=$))?$", "\\/?$");
    const engine = RE2JS.compile(RE2JS.translateRegExp(translated), RE2JS.CASE_INSENSITIVE);
    const checks = keys.flatMap((key, index) => {
      const [, before] = [...key.pattern.matchAll(UNLIKE_BEFORE)][0] ?? [];
      if (before === undefined || isOneCharacter(before) || key.repeat) return [];
      return [{ group: index + 1, before: new RegExp(before, "i"), length: before.replace(/\\(.)/g, "$1").length }];
    });
    return (path) => {
      const matcher = engine.matcher(path);
      if (!matcher.find()) return undefined;
      const isLikeBefore = checks.some(({ group, before, length }) => {
        const captured = matcher.group(group);
        if (captured === null || (captured.length === length && before.test(captured))) return false;
        return before.test(path.slice(matcher.start(group), matcher.end(group) + length - 1));
      });
      if (isLikeBefore) return undefined;
      return Array.from({ length: matcher.groupCount() + 1 }, (_, group) => matcher.group(group));
    };
  } catch {
    return undefined;
  }
}

function isOneCharacter(escaped: string): boolean {
  return /^\\?.$/.test(escaped);
}
