/** Literals joined by `.*`, with or without anchors: the most common patterns. */
const WILDCARDS = /^(\^?)((?:[^\\^$.*+?()[\]{}|]|\.\*)*)(\$?)$/;

/**
 * Compiles a pattern of literals and `.*`; undefined for any other. Searches one literal after the other, which is exact,
 * because the first occurrence of each leaves the most room for the rest.
 */
export function compileWildcards(pattern: string): ((text: string) => boolean) | undefined {
  const [, start, middle, end] = WILDCARDS.exec(pattern) ?? [];
  // The engine handles the case folding of other letters.
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

/** Whether `.` matches every character of the text, and its case folding is that of ASCII. */
export function isPlainText(text: string): boolean {
  return isAscii(text) && !text.includes("\n") && !text.includes("\r");
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 126) return false;
  return true;
}
