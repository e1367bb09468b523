import { createCharacters, maskAddress, maskSearch, maskText, mayHoldSecret } from "./mask-text.ts";
import { HIDING, MASK, type Masking, maskingFor } from "./masking.ts";
import { isCardNumber } from "./secret-forms.ts";
import { findSecretWord } from "./secret-name.ts";

const WORDS = ["true", "false", "null"];
/** Members that name the `value` beside them: that of JSON Patch, and those of variables such as `API_KEY`. */
const TELLING = /^(?:path|name|key)$/;
const TOLD = /^(?:\/|[A-Z][A-Z\d_]*$)/;
const NUMBER = /-?\d[\d.eE+-]*/y;
const isSpace = createCharacters(" \t\r\n");
const isPunctuation = createCharacters(" \t\r\n{}[],:");

/** Masks the secrets in a body sent to or by an address. It may be truncated or broken. Linear in its length. */
export function maskBody(text: string, address = ""): string {
  const masking = maskingFor(address, HIDING);
  if (masking === HIDING && !mayHoldSecret(unescaped(text))) return text;
  if (/^\s*[{["]/.test(text)) return maskJson(text, masking);
  return /^[^\s{}"'<>=&]+=/.test(text) ? maskSearch(text, masking) : upToSecret(text);
}

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly by: string;
}

/** An object that is being read. */
interface Frame {
  /** The name that another member gives the `value` of this one. */
  told?: string;
  /** Where a `value` stands that came before, and how many edits were made until there. */
  value?: { readonly start: number; readonly edits: number };
}

/** Masks the secrets in JSON token by token. From a syntax error on, keeps the text up to the first secret name. */
export function maskJson(text: string, masking: Masking): string {
  const edits: Edit[] = [];
  const frames: Frame[] = [];
  const editOf = (from: number, to: number, name: string): Edit => ({
    from,
    to,
    by: masking.replaceJson(text.slice(from, to), name),
  });
  let name = "";
  let at = 0;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '"') {
      const end = endOfString(text, at);
      const content = contentOf(text.slice(at, end));
      const sign = skipSpace(text, end);
      const isName = text[sign] === ":";
      if (!isName && masking.isSecret(name, content)) edits.push(editOf(at, end, name));
      else {
        const shown = /^https?:\/\//.test(content) ? maskAddress(content, masking) : maskText(content, true, masking);
        if (shown !== content) edits.push({ from: at, to: end, by: JSON.stringify(shown) });
      }
      at = end;
      if (!isName) continue;
      name = content;
      at = skipSpace(text, sign + 1);
      const frame = frames.at(-1) ?? {};
      if (name === "value") frame.value = { start: at, edits: edits.length };
      const told = TELLING.test(name) && text[at] === '"' ? contentOf(text.slice(at, endOfString(text, at))) : "";
      if (TOLD.test(told) && findSecretWord(told) !== -1) {
        frame.told = told;
        const { start = at, edits: count = 0 } = frame.value ?? {};
        // One that is no scalar has names of its own.
        if (start < at && !/[[{]/.test(text.charAt(start))) {
          edits.splice(count, edits[count]?.from === start ? 1 : 0, editOf(start, endOfValue(text, start), told));
        }
      }
      const secret = name === "value" && frame.told !== undefined ? frame.told : name;
      if (secret !== name || masking.isSecret(name)) {
        const start = at;
        at = endOfValue(text, start);
        if (at > start) edits.push(editOf(start, at, secret));
      }
      continue;
    }
    NUMBER.lastIndex = at;
    const [number] = NUMBER.exec(text) ?? [];
    const word = number ?? WORDS.find((one) => text.startsWith(one, at));
    if (number !== undefined && isCardNumber(number)) edits.push(editOf(at, at + number.length, "card number"));
    if (character === "{") frames.push({});
    if (character === "}") frames.pop();
    if (word === undefined && !isPunctuation(text.charCodeAt(at))) {
      return `${edited(text.slice(0, at), edits)}${upToSecret(text.slice(at))}`;
    }
    at += word?.length ?? 1;
  }
  return edited(text, edits);
}

function edited(text: string, edits: readonly Edit[]): string {
  let done = "";
  let copied = 0;
  for (const { from, to, by } of edits) {
    done += text.slice(copied, from) + by;
    copied = to;
  }
  return done + text.slice(copied);
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
