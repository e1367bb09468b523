import { createCharacters } from "./characters.ts";
import { MASK, maskSearch, maskText, mayHoldSecret } from "./mask-text.ts";
import { findSecretWord, isSecretName } from "./secret-name.ts";

const WORDS = ["true", "false", "null"];
const isSpace = createCharacters(" \t\r\n");
const isPunctuation = createCharacters(" \t\r\n{}[],:0123456789.eE+-");

/** Masks the secrets in a body, which may be truncated or broken. Linear in its length. */
export function maskBody(text: string): string {
  if (!mayHoldSecret(unescaped(text))) return text;
  if (/^\s*[{["]/.test(text)) return maskJson(text);
  return /^[^\s{}"'<>=&]+=/.test(text) ? maskSearch(text) : upToSecret(text);
}

/** Masks the secrets in JSON token by token. From a syntax error on, keeps the text up to the first secret name. */
function maskJson(text: string): string {
  let masked = "";
  let copied = 0;
  const replace = (from: number, to: number, by: string): void => {
    masked += text.slice(copied, from) + by;
    copied = to;
  };
  let at = 0;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '"') {
      const end = endOfString(text, at);
      const sign = skipSpace(text, end);
      const content = contentOf(text.slice(at, end));
      if (text[sign] !== ":") {
        const shown = maskText(content);
        if (shown !== content) replace(at, end, JSON.stringify(shown));
        at = end;
      } else if (isSecretName(content)) {
        const start = skipSpace(text, sign + 1);
        at = endOfValue(text, start);
        if (at > start) replace(start, at, `"${MASK}"`);
      } else at = sign + 1;
    } else if (isPunctuation(text.charCodeAt(at))) at++;
    else {
      const word = WORDS.find((one) => text.startsWith(one, at));
      if (word === undefined) return masked + text.slice(copied, at) + upToSecret(text.slice(at));
      at += word.length;
    }
  }
  return masked + text.slice(copied);
}

/** Truncates a text that is neither JSON nor a form at the first secret name, because the end of its value is unknown. */
function upToSecret(text: string): string {
  const plain = unescaped(text);
  const at = findSecretWord(plain);
  return at === -1 ? maskText(text) : `${maskText(plain.slice(0, at))}${MASK}`;
}

/** The position after the closing quote, or the end of a truncated text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

/** The position after a value of any type. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '"') at = endOfString(text, at);
    else if (depth === 0 && /[,}\]]/.test(character)) return at;
    else {
      if (character === "{" || character === "[") depth++;
      if (character === "}" || character === "]") depth--;
      at++;
    }
    if (depth === 0 && /["}\]]/.test(character)) return at;
  }
  return at;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

function contentOf(token: string): string {
  try {
    return JSON.parse(token) as string;
  } catch {
    return unescaped(token.slice(1));
  }
}

function unescaped(text: string): string {
  if (!text.includes("\\u")) return text;
  return text.replace(/\\u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
