/** A pattern in the parts that the linear-time engine can match. */
export interface PatternSource {
  readonly body: string;
  readonly ignoresCase: boolean;
  /** Look-aheads at the start of the text, which are patterns of their own there. */
  readonly ahead: readonly { readonly body: string; readonly isWanted: boolean }[];
}

/** `/^[a-z]+$/i`: as it stands, no text can match it. */
const LITERAL = /^\/(\^.*\$)\/([dgimsuvy]*)$/s;
const TOKEN = /\\[\s\S]|[[\]()|]|[^\\[\]()|]+/y;

/** The pattern that its author meant: a literal of JavaScript, which some write, is read without its slashes. */
export function readLiteral(source: string): Pick<PatternSource, "body" | "ignoresCase"> {
  const [, body = source, flags = ""] = LITERAL.exec(source) ?? [];
  return { body, ignoresCase: flags.includes("i") };
}

/** Splits `^(?!a)(?=b)c`. The pattern must be valid in JavaScript. */
export function readPatternSource(source: string): PatternSource {
  const { body, ignoresCase } = readLiteral(source);
  const ahead: { body: string; isWanted: boolean }[] = [];
  let at = 0;
  let isAnchored = false;
  for (;;) {
    if (body[at] === "^") {
      isAnchored = true;
      at++;
    } else if (/^\(\?[=!]/.test(body.slice(at, at + 3))) {
      const end = endOf(body, at + 1, ")");
      ahead.push({ body: `^(?:${body.slice(at + 3, end)})`, isWanted: body[at + 2] === "=" });
      at = end + 1;
    } else break;
  }
  // Elsewhere a look-ahead would be tried at several places.
  const canSplit = isAnchored && endOf(body, at, "|") === body.length;
  return canSplit ? { body: `^${body.slice(at)}`, ignoresCase, ahead } : { body, ignoresCase, ahead: [] };
}

/** Where a character stands outside of the groups that begin behind a place; the end where it does not. */
function endOf(source: string, start: number, wanted: string): number {
  let depth = 0;
  let isInClass = false;
  for (let at = start; at < source.length; ) {
    TOKEN.lastIndex = at;
    const [token = ""] = TOKEN.exec(source) ?? [];
    if (token === "[") isInClass = true;
    else if (token === "]") isInClass = false;
    else if (!isInClass) {
      if (token === wanted && depth === 0) return at;
      if (token === "(") depth++;
      if (token === ")") depth--;
    }
    at += token.length;
  }
  return source.length;
}
