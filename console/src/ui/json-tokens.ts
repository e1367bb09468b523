export interface Token {
  readonly kind: "key" | "string" | "number" | "word" | "plain";
  readonly text: string;
}

const TOKEN = /("(?:[^"\\\n]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\b(true|false|null)\b/g;

/** The words of a JSON text by what they are, so that they can be coloured. Any other text comes back as it is. */
export function jsonTokens(text: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [whole, quoted, colon, number] = match;
    if (match.index > end) tokens.push({ kind: "plain", text: text.slice(end, match.index) });
    end = match.index + whole.length;
    if (quoted !== undefined) tokens.push({ kind: colon === undefined ? "string" : "key", text: quoted });
    else tokens.push({ kind: number === undefined ? "word" : "number", text: whole });
    if (colon !== undefined) tokens.push({ kind: "plain", text: colon });
  }
  if (end < text.length) tokens.push({ kind: "plain", text: text.slice(end) });
  return tokens;
}
