/** The characters that JavaScript's `\s` matches, as the content of a character class. */
const SPACE =
  "\\t\\n\\v\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}";
const NO_LINE_END = "[^\\n\\r\\x{2028}\\x{2029}]";
/** Escapes that have a meaning for the engine, or are invalid there, but match only the letter in JavaScript. */
const PLAIN_LETTER = /^\\[aAEpPQz\u0080-\uffff]$/;
/** The same for patterns with the flag `u`, where `\p{...}` is a class of characters. */
const PLAIN_LETTER_IN_UNICODE = /^\\[aAEQz\u0080-\uffff]$/;

/**
 * Translates the parts of a JavaScript pattern that mean something else to the linear-time engine. The engine itself
 * translates the rest. `isUnicode` reads it with the flag `u`.
 */
export function toEngineDialect(pattern: string, isUnicode = false): string {
  const plainLetter = isUnicode ? PLAIN_LETTER_IN_UNICODE : PLAIN_LETTER;
  let isInClass = false;
  return pattern.replace(/\\[\s\S]|[[\].]/g, (token) => {
    switch (token) {
      case "[":
        if (isInClass) return "\\[";
        isInClass = true;
        return token;
      case "]":
        isInClass = false;
        return token;
      case ".":
        return isInClass ? token : NO_LINE_END;
      case "\\s":
        return isInClass ? SPACE : `[${SPACE}]`;
      case "\\S":
        return isInClass ? token : `[^${SPACE}]`;
      case "\\b":
        return isInClass ? "\\x08" : token;
      default:
        return plainLetter.test(token) ? token.slice(1) : token;
    }
  });
}
