import { createCharacters } from "./characters.ts";
import { maskSegments } from "./mask-segments.ts";
import { hintsAtSecret, isSecretName } from "./secret-name.ts";
import { mayBeSecret } from "./secret-patterns.ts";

/** Shown in place of a secret. */
export const MASK = "...";

/** Which names are secret, and what takes the place of their values. */
export interface Masking {
  readonly isSecret: (name: string) => boolean;
  readonly replace: (secret: string, name: string) => string;
}

/** The masking of everything that people see. */
const HIDING: Masking = { isSecret: isSecretName, replace: () => MASK };
const SPACE = " \t\r\n\v\f";
const isQuote = createCharacters("\"'`");
/** Characters that end a name before `=` or `:`, and those that may be between the two. */
const endsName = createCharacters(`${SPACE}&?#;,"'\`<>(){}=/:@|!$*\\`);
const isPadding = createCharacters("\"'`\\ ");
const endsValue = createCharacters(`${SPACE}&"'\`<>`);
const endsAuthority = createCharacters(`${SPACE}/?#"'\`<>`);
/** The characters that separate names and values in a URL. */
const endsPart = createCharacters("=;?#/");
const EQUALS = "=".charCodeAt(0);
const COLON = ":".charCodeAt(0);
const SCHEME = /^(?:Basic|Bearer|Digest|Token)[ \t]+/i;
const BEARER = /\b(Bearer[ \t]+)([\w.~+/=-]{8,})/gi;
const CODE = /[?&]code=/i;
/** A secret may be part of a URL that is itself encoded in a URL. */
const MAX_DECODINGS = 3;

/** Masks the secrets in a URL: in its segments, the values of parameters with secret names, and passwords before the host. */
export function maskAddress(address: string, masking = HIDING): string {
  if (masking === HIDING && !mayHoldSecret(address) && !mayBeSecret(address)) return address;
  const question = address.search(/[?#]/);
  const end = question === -1 ? address.length : question;
  const path = maskSegments(maskUserInfo(maskPair(address.slice(0, end), masking), masking), masking.replace);
  if (question === -1) return path;
  const isSecret = (name: string): boolean => isCode(name) || masking.isSecret(name);
  return `${path}${address[question]}${maskPairs(address.slice(question + 1), { ...masking, isSecret })}`;
}

/** Masks the secrets in a query string or a form. */
export function maskSearch(search: string, masking = HIDING): string {
  return masking !== HIDING || mayHoldSecret(search) ? maskPairs(search, masking) : search;
}

function maskPairs(search: string, masking: Masking): string {
  return search
    .split("&")
    .map((pair) => maskPair(pair, masking))
    .join("&");
}

/** In an address, `code` is what OAuth trades for a token. In a body, it is that of an error, a country or a product. */
function isCode(name: string): boolean {
  return /^code$/i.test(name);
}

/**
 * Masks the secrets in any text: `token=abc`, `"password": "abc"`, `Bearer abc`, `https://user:abc@host`; in an error
 * report also `password: abc` at the end of a line. Linear in the length of the text.
 */
export function maskText(text: string, isReport = false, masking = HIDING): string {
  if (masking === HIDING && !mayHoldSecret(text)) return text;
  const named = maskUserInfo(maskNamed(text, isReport, masking), masking);
  return named.replace(BEARER, (_, scheme: string, token: string) => `${scheme}${masking.replace(token, "bearer")}`);
}

/** A quick check that excludes most texts. */
export function mayHoldSecret(text: string): boolean {
  if (hintsAtSecret(text) || text.includes("://") || CODE.test(text)) return true;
  let inner = text;
  for (let times = 0; times < MAX_DECODINGS && inner.includes("%"); times++) {
    inner = decoded(inner);
    if (hintsAtSecret(inner) || inner.includes("://") || CODE.test(inner)) return true;
  }
  return false;
}

/** Masks one pair of a query string. It may contain others, after a semicolon or encoded in its value. */
function maskPair(pair: string, { isSecret, replace }: Masking): string {
  let start = 0;
  for (let at = 0; at < pair.length; at++) {
    const code = pair.charCodeAt(at);
    if (!endsPart(code)) continue;
    const name = code === EQUALS ? decoded(pair.slice(start, at)) : "";
    if (name !== "" && isSecret(name)) return `${pair.slice(0, at)}=${replace(pair.slice(at + 1), name)}`;
    start = at + 1;
  }
  const equals = pair.indexOf("=");
  if (equals === -1 || !hidesSecret(pair.slice(equals + 1))) return pair;
  return `${pair.slice(0, equals)}=${replace(pair.slice(equals + 1), decoded(pair.slice(0, equals)))}`;
}

function hidesSecret(value: string): boolean {
  let inner = value;
  for (let times = 0; times < MAX_DECODINGS && inner.includes("%"); times++) {
    inner = decoded(inner);
    if (maskText(inner) !== inner) return true;
  }
  return false;
}

/** Masks the values after secret names. Linear: reads no character of a name or value twice. */
function maskNamed(text: string, isReport: boolean, { isSecret, replace }: Masking): string {
  const endOfValue = createEndOfValue(text);
  let masked = "";
  let copied = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== EQUALS && code !== COLON) continue;
    const name = nameBefore(text, at, copied);
    if (!isSecret(decoded(name)) && !(code === EQUALS && isCodeInAddress(text, at, name))) continue;
    const [start, end] =
      code === EQUALS ? [at + 1, endOfValue(at + 1)] : valueAfterColon(text, at + 1, { isReport, endOfValue });
    if (start === end) continue;
    masked += text.slice(copied, start) + replace(text.slice(start, end), decoded(name));
    copied = end;
    at = end - 1;
  }
  return masked + text.slice(copied);
}

/** Whether a name before `=` is the `code` of a query string, such as `https://host/path?code=abc`. */
function isCodeInAddress(text: string, sign: number, name: string): boolean {
  const before = text[sign - name.length - 1];
  return (before === "?" || before === "&") && isCode(decoded(name));
}

function nameBefore(text: string, sign: number, limit: number): string {
  let end = sign;
  while (end > limit && isPadding(text.charCodeAt(end - 1))) end--;
  let start = end;
  while (start > limit && !endsName(text.charCodeAt(start - 1))) start--;
  return text.slice(start, end);
}

/** Creates a function that finds the end of a value; call it from left to right. */
function createEndOfValue(text: string): (from: number) => number {
  let end = 0;
  return (from) => {
    // `{ token="abc" }`: the quote belongs to the value.
    if (isQuote(text.charCodeAt(from))) {
      const closing = text.indexOf(text.charAt(from), from + 1);
      return closing === -1 ? text.length : closing + 1;
    }
    if (end < from) end = from;
    while (end < text.length && !endsValue(text.charCodeAt(end))) end++;
    return end;
  };
}

/** The start and end of a value after a colon: in quotes, after the scheme of a header, or alone on its line. */
function valueAfterColon(
  text: string,
  from: number,
  { isReport, endOfValue }: { isReport: boolean; endOfValue: (from: number) => number },
): [start: number, end: number] {
  let start = from;
  while (text[start] === " " || text[start] === "\\") start++;
  if (isQuote(text.charCodeAt(start))) {
    const closing = text.indexOf(text.charAt(start), start + 1);
    let end = closing === -1 ? text.length : closing;
    while (end > start + 1 && text[end - 1] === "\\") end--;
    return [start + 1, end];
  }
  const scheme = SCHEME.exec(text.slice(start, start + 16));
  if (scheme) return [start + scheme[0].length, endOfValue(start + scheme[0].length)];
  // `auth.js:12:3` is a position in a stack trace.
  if (!isReport || start === from) return [start, start];
  const end = endOfValue(start);
  return /^\s*(?:$|[\r\n])/.test(text.slice(end, end + 8)) ? [start, end] : [start, start];
}

/** Masks the password in `https://user:password@host`, or a token in place of the user. */
function maskUserInfo(text: string, { replace }: Masking): string {
  let masked = "";
  let copied = 0;
  for (let at = text.indexOf("://"); at !== -1; at = text.indexOf("://", at + 3)) {
    const start = at + 3;
    let end = start;
    while (end < text.length && !endsAuthority(text.charCodeAt(end))) end++;
    const authority = text.slice(start, end);
    const info = authority.lastIndexOf("@");
    if (info === -1) continue;
    const colon = authority.indexOf(":");
    const secret = colon !== -1 && colon < info ? colon + 1 : 0;
    masked += text.slice(copied, start + secret) + replace(authority.slice(secret, info), "user info");
    copied = start + info;
  }
  return masked + text.slice(copied);
}

/** Decodes each escape by itself, so that a broken one affects no other; secret names are ASCII, so one byte suffices. */
function decoded(text: string): string {
  if (!text.includes("%")) return text;
  return text.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
