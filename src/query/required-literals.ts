/** Characters that end a run of literal ones. */
const SPECIAL = new Set("^$.*+?()[]{}|\\");
/** Escaped characters that match themselves. */
const ESCAPED_LITERAL = /[^A-Za-z0-9]/;

/**
 * Texts that every match of the pattern contains, in lower case; none when that is unknown. Errs on the safe side: skips
 * groups and classes, and gives up at an alternative outside of a group.
 */
export function requiredLiterals(pattern: string): string[] {
  const found: string[] = [];
  let run = "";
  const end = (): void => {
    if (run !== "") found.push(run.toLowerCase());
    run = "";
  };
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at);
    let literal: string | undefined;
    if (character === "|") return [];
    if (character === "(" || character === "[") {
      end();
      at = character === "(" ? endOfGroup(pattern, at) : endOfClass(pattern, at);
    } else if (character === "\\") {
      const escaped = pattern[++at] ?? "";
      if (ESCAPED_LITERAL.test(escaped)) literal = escaped;
      else {
        end();
        // \x41, \u0041, \p{L}: the next characters belong to the escape.
        if (/[xucpPk]/.test(escaped)) return found;
      }
    } else if (!SPECIAL.has(character)) literal = character;
    else end();
    const quantifier = /^(?:[*?+]|\{\d*,?\d*\})\??/.exec(pattern.slice(at + 1))?.[0];
    if (literal !== undefined) {
      if (quantifier === undefined) run += literal;
      else {
        // At least one occurs, but the next literal may follow a later one.
        if (quantifier.startsWith("+")) run += literal;
        end();
      }
    }
    if (quantifier !== undefined) at += quantifier.length;
  }
  end();
  return found;
}

function endOfGroup(pattern: string, start: number): number {
  let depth = 0;
  for (let at = start; at < pattern.length; at++) {
    if (pattern[at] === "\\") at++;
    else if (pattern[at] === "[") at = endOfClass(pattern, at);
    else if (pattern[at] === "(") depth++;
    else if (pattern[at] === ")" && --depth === 0) return at;
  }
  return pattern.length;
}

function endOfClass(pattern: string, start: number): number {
  for (let at = start + 1; at < pattern.length; at++) {
    if (pattern[at] === "\\") at++;
    else if (pattern[at] === "]") return at;
  }
  return pattern.length;
}
