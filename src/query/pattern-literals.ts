/** Literals joined by `.*`, with or without anchors: the most common patterns. */
const WILDCARDS = /^(\^?)((?:[^\\^$.*+?()[\]{}|]|\.\*)*)(\$?)$/;

/** Literals in lower case that a text has one after the other, bound to its start or end or not. */
export interface LiteralPieces {
  readonly isAtStart: boolean;
  /** Any of them may be empty, but there is one. */
  readonly literals: readonly string[];
  readonly isAtEnd: boolean;
}

/** The pieces that plain texts which match a pattern of literals and `.*` have; undefined for any other pattern. */
export function literalPieces(pattern: string): LiteralPieces | undefined {
  const [, start, middle, end] = WILDCARDS.exec(pattern) ?? [];
  // The engine handles the case folding of other letters.
  if (middle === undefined || !isAscii(pattern)) return undefined;
  return { isAtStart: start === "^", literals: middle.toLowerCase().split(".*"), isAtEnd: end === "$" };
}

/**
 * Compiles pieces into a test of plain texts in lower case. Searches one literal after the other, which is exact, because
 * the first occurrence of each leaves the most room for the rest.
 */
export function compilePieces({ isAtStart, literals, isAtEnd }: LiteralPieces): (lower: string) => boolean {
  const pieces = [...literals];
  const head = isAtStart ? (pieces.shift() ?? "") : "";
  // A single piece between both anchors is head and tail in one.
  if (isAtStart && isAtEnd && pieces.length === 0) return (lower) => lower === head;
  const tail = isAtEnd ? (pieces.pop() ?? "") : "";
  return (lower) => {
    if (!lower.startsWith(head)) return false;
    let at = head.length;
    for (let piece = 0; piece < pieces.length; piece++) {
      const found = lower.indexOf(pieces[piece]!, at);
      if (found === -1) return false;
      at = found + pieces[piece]!.length;
    }
    return lower.length - tail.length >= at && lower.endsWith(tail);
  };
}

/** Whether `.` matches every character of the text, and its case folding is that of ASCII. */
export function isPlainText(text: string): boolean {
  return isAscii(text) && !text.includes("\n") && !text.includes("\r");
}

export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 126) return false;
  return true;
}

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
