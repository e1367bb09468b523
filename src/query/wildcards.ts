/** Literal pieces joined by `.*`, with or without anchors: the patterns that people really write. */
const WILDCARDS = /^(\^?)((?:[^\\^$.*+?()[\]{}|]|\.\*)*)(\$?)$/;

/**
 * A judgement for patterns made of literals and `.*` alone, by looking for one piece after the other: exact, because the
 * first place where a piece is found leaves the most room for the rest. Undefined for any other pattern.
 */
export function compileWildcards(pattern: string): ((text: string) => boolean) | undefined {
  const [, start, middle, end] = WILDCARDS.exec(pattern) ?? [];
  // Other letters have other ideas of upper and lower case; they are left to the engine.
  if (middle === undefined || !isAscii(pattern)) return undefined;
  const pieces = middle.toLowerCase().split(".*");
  const isStart = start === "^";
  const isEnd = end === "$";
  return (text) => {
    const lower = text.toLowerCase();
    let at = 0;
    for (const [position, piece] of pieces.entries()) {
      const isFirst = position === 0;
      const isLast = position === pieces.length - 1;
      if (isFirst && isStart) {
        if (!lower.startsWith(piece)) return false;
        at = piece.length;
        if (isLast && isEnd) return lower.length === piece.length;
      } else if (isLast && isEnd) {
        return lower.length - piece.length >= at && lower.endsWith(piece);
      } else {
        const found = lower.indexOf(piece, at);
        if (found === -1) return false;
        at = found + piece.length;
      }
    }
    return true;
  };
}

/** `.` does not match a line break, and upper and lower case are plain, in such a text. */
export function isPlainText(text: string): boolean {
  return isAscii(text) && !text.includes("\n") && !text.includes("\r");
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 126) return false;
  return true;
}
