/** Characters that match themselves in PostgreSQL's patterns, inside brackets and outside. */
const PLAIN = /[A-Za-z0-9 !"%&',/:;<=>@_`~-]/;
const SPACE = "\\t\\n\\v\\f\\r ";
const CLASSES: Readonly<Record<string, string>> = { d: "0-9", w: "0-9A-Za-z_", s: SPACE };
const CONTROLS: Readonly<Record<string, string>> = { t: "\\t", n: "\\n", v: "\\v", f: "\\f", r: "\\r" };
/** The limit of PostgreSQL. */
const MAX_REPEATS = 255;

/** Thrown for a construct that PostgreSQL lacks; this process tests such a pattern instead. */
class Untranslatable extends Error {}

/**
 * Translates a pattern to PostgreSQL's syntax, for ASCII texts, where both engines agree. Undefined if that is not
 * possible: characters beyond ASCII, numeric character escapes, counts above 255.
 */
export function translatePattern(pattern: string): string | undefined {
  if (!/^[\x20-\x7e]*$/.test(pattern)) return undefined;
  try {
    // The group keeps a leading *** from switching the syntax.
    return `(?:${translate(pattern)})`;
  } catch (thrown) {
    if (thrown instanceof Untranslatable) return undefined;
    throw thrown;
  }
}

function translate(pattern: string): string {
  let out = "";
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at);
    if (character === "\\") out += translateEscape(pattern[++at] ?? "");
    else if (character === "[") {
      const [text, end] = translateBracket(pattern, at);
      out += text;
      at = end;
    } else if (character === ".") out += "[^\\n\\r]";
    else if (character === "(") {
      const [opening] = /^\((?:\?:|\?<[A-Za-z]\w*>)?/.exec(pattern.slice(at)) ?? ["("];
      if (pattern[at + opening.length] === "?") throw new Untranslatable();
      out += "(?:";
      at += opening.length - 1;
    } else if (character === "{") {
      const repeat = /^\{(\d+)(,?)(\d*)\}/.exec(pattern.slice(at));
      if (!repeat) out += "\\{";
      else {
        if (Math.max(Number(repeat[1]), Number(repeat[3] ?? 0)) > MAX_REPEATS) throw new Untranslatable();
        out += repeat[0];
        at += repeat[0].length - 1;
      }
    } else if ("|)*+?^$".includes(character)) out += character;
    else out += PLAIN.test(character) ? character : `\\${character}`;
  }
  return out;
}

function translateEscape(escaped: string): string {
  if (CLASSES[escaped] !== undefined) return `[${CLASSES[escaped]}]`;
  const negated = CLASSES[escaped.toLowerCase()];
  if (negated !== undefined) return `[^${negated}]`;
  if (escaped === "b") return "\\y";
  if (escaped === "B") return "\\Y";
  if (CONTROLS[escaped] !== undefined) return CONTROLS[escaped];
  if (/[A-Za-z0-9]/.test(escaped) || escaped === "") throw new Untranslatable();
  return PLAIN.test(escaped) ? escaped : `\\${escaped}`;
}

/** A bracket expression and the position of its end. */
function translateBracket(pattern: string, start: number): [text: string, end: number] {
  let at = start + 1;
  const isNegated = pattern[at] === "^";
  if (isNegated) at++;
  let inside = "";
  let isRangePossible = false;
  for (; pattern[at] !== "]"; at++) {
    const character = pattern[at];
    if (character === undefined) throw new Untranslatable();
    if (character === "\\") {
      const escaped = pattern[++at] ?? "";
      if (CLASSES[escaped] !== undefined) {
        // A class cannot be the end of a range.
        if (pattern[at + 1] === "-" || inside.endsWith("-")) throw new Untranslatable();
        inside += CLASSES[escaped];
        isRangePossible = false;
        continue;
      }
      if (CONTROLS[escaped] !== undefined) inside += CONTROLS[escaped];
      else if (/[A-Za-z0-9]/.test(escaped) || escaped === "") throw new Untranslatable();
      else inside += `\\${escaped}`;
    } else if (character === "-") {
      const isLast = pattern[at + 1] === "]";
      inside += isRangePossible && !isLast ? "-" : "\\-";
      if (isRangePossible && !isLast) {
        isRangePossible = false;
        // The next character ends the range and cannot begin another.
        const next = pattern[at + 1];
        if (next === undefined || next === "\\" || next === "[" || !PLAIN.test(next) || next === "-")
          throw new Untranslatable();
        inside += next;
        at++;
        continue;
      }
    } else inside += PLAIN.test(character) ? character : `\\${character}`;
    isRangePossible = true;
  }
  if (inside === "") throw new Untranslatable();
  return [`[${isNegated ? "^" : ""}${inside}]`, at];
}
