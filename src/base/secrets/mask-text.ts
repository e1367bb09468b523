import { Buffer } from "../platform/buffer.ts";
import { HIDING, MASK, type Masking } from "./masking.ts";
import { maskForms, mayHoldForm } from "./secret-forms.ts";
import { hintsAtSecret, isSecretName, looksRandom } from "./secret-name.ts";

const SPACE = " \t\r\n\v\f";
const isQuote = createCharacters("\"'`");
/** Characters that end a name before `=` or `:`, and those that may be between the two. */
const endsName = createCharacters(`${SPACE}&?#;,"'\`<>(){}=/:@|!$*\\`);
const isPadding = createCharacters("\"'`\\ ");
const endsValue = createCharacters(`${SPACE}&"'\`<>`);
const EQUALS = "=".charCodeAt(0);
const COLON = ":".charCodeAt(0);
const SCHEME = /^(?:Basic|Bearer|Digest|Token)[ \t]+/i;
const endsAuthority = createCharacters(`${SPACE}/?#"'\`<>`);
/** The characters that separate names and values in a URL. */
const endsPart = createCharacters("=;?#/");
const BEARER = /\b(Bearer[ \t]+)([\w.~+/=-]{8,})/gi;
const USER_INFO = /:\/\/[^\s/?#"'`<>]*@/;
const CODE = /[?&]code=/i;
const WEB_ADDRESS = /\bhttps?:\/\/[^\s"'`<>?#]+/gi;
/** Secrets in prose: `my password is swordfish`, `bad password 'swordfish'`, `the token was a1b2c3d4`. */
const TOLD =
  /\b((my )?(pass(?:word|wort|phrase|code|wd)?|pwd|pin|secret|token|key)( (?:(?:is|was) )?)(["'`]?))((?<=["'`])[^"'`\r\n]{3,200}|[^\s"'`<>]{4,200})/gi;
/** Links that work for anyone who has them, and the length from which their last part is not an id. */
const LINK = /^(?:invit|confirm|verif|activat|reset|recover|unsubscribe|magic)/i;
const MIN_LINK = 32;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** Texts that may be base64 or its form for addresses. */
const BASE64 = /[\w+/-]{16,}={0,2}/g;
/** A secret may be part of a URL that is itself encoded in a URL. */
const MAX_DECODINGS = 3;

/** Masks the values after secret names. Linear: reads no character of a name or value twice. */
function maskNamed(text: string, isReport: boolean, masking: Masking): string {
  const endOfValue = createEndOfValue(text);
  let masked = "";
  let copied = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== EQUALS && code !== COLON) continue;
    const name = nameBefore(text, at, copied);
    if (!masking.isSecret(decoded(name)) && !(code === EQUALS && isCodeInAddress(text, at, name))) continue;
    const [start, end] =
      code === EQUALS ? [at + 1, endOfValue(at + 1)] : valueAfterColon(text, at + 1, { isReport, endOfValue });
    if (start === end) continue;
    masked += text.slice(copied, start) + masking.replace(text.slice(start, end), decoded(name));
    copied = end;
    at = end - 1;
  }
  return masked + text.slice(copied);
}

/** Whether a name before `=` is the `code` of a query string, such as `https://host/path?code=abc`. */
function isCodeInAddress(text: string, sign: number, name: string): boolean {
  const before = text[sign - name.length - 1];
  return (before === "?" || before === "&") && isOAuthCode(decoded(name));
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

/** In an address, `code` is what OAuth trades for a token. In a body, it is that of an error, a country or a product. */
function isOAuthCode(name: string): boolean {
  return /^code$/i.test(name);
}

/** Decodes each escape by itself, so that a broken one affects no other; secret names are ASCII, so one byte suffices. */
export function decoded(text: string): string {
  if (!text.includes("%")) return text;
  return text.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Masks the secrets in a URL: in its segments, the values of parameters with secret names, and passwords before the host. */
export function maskAddress(address: string, masking = HIDING): string {
  if (masking === HIDING && !mayHoldSecret(address)) return address;
  const question = address.search(/[?#]/);
  const end = question === -1 ? address.length : question;
  const path = maskForms(maskUserInfo(maskPair(address.slice(0, end), masking), masking), masking);
  const masked = maskSegments(path, masking);
  if (question === -1) return masking.known(masked);
  const isSecret: Masking["isSecret"] = (name, value) => isOAuthCode(name) || masking.isSecret(name, value);
  const search = maskPairs(address.slice(question + 1), { ...masking, isSecret });
  return masking.known(`${masked}${address[question]}${search}`);
}

/** Masks the secrets in a query string or a form. */
export function maskSearch(search: string, masking = HIDING): string {
  return masking !== HIDING || mayHoldSecret(search) ? masking.known(maskPairs(search, masking)) : search;
}

function maskPairs(search: string, masking: Masking): string {
  return maskForms(search, masking)
    .split("&")
    .map((pair) => maskPair(pair, masking))
    .join("&");
}

/**
 * Masks the secrets in any text: `token=abc`, `"password": "abc"`, `Bearer abc`, `https://user:abc@host`; in an error
 * report also `password: abc` at the end of a line. Linear in the length of the text.
 */
export function maskText(text: string, isReport = false, masking = HIDING): string {
  if (masking === HIDING && !mayHoldSecret(text)) return text;
  const named = maskTold(maskUserInfo(maskNamed(text, isReport, masking), masking), masking)
    .replace(BEARER, (_, scheme: string, token: string) => `${scheme}${masking.replace(token, "bearer")}`)
    .replace(WEB_ADDRESS, (address) => maskSegments(address, masking));
  const masked = masking.known(maskForms(named, masking));
  return masked.replace(BASE64, (one) => (isCoded(one, masking) ? masking.replace(one, "base64") : one));
}

function maskTold(text: string, masking: Masking): string {
  return text.replace(TOLD, (all: string, before: string, ...groups: (string | undefined)[]) => {
    const [my, name = "", verb, quote, value = ""] = groups;
    const secret = value.replace(/[.,;:!?)]+$/, "");
    const isSaid = quote !== "" || (verb !== " " && (my !== undefined || /[\d!@#$%^&*_]/.test(secret)));
    if (!(isSaid && /^p/i.test(name)) && !looksRandom(secret)) return all;
    return `${before}${masking.replace(secret, name)}${value.slice(secret.length)}`;
  });
}

/** Whether a text is base64 of one with a secret. */
function isCoded(encoded: string, masking: Masking): boolean {
  const plain = Buffer.from(encoded, "base64").toString();
  // Most words are not base64, and become bytes that are no text.
  if (!/^[\t\n\r\x20-\x7e\u00a0-\uffef]+$/.test(plain)) return false;
  return maskText(plain, true, masking) !== plain;
}

/** Masks the secrets in the segments of a path, such as a random text below `/tokens/`. */
function maskSegments(path: string, masking: Masking): string {
  let before = "";
  return path
    .split("/")
    .map((segment) => {
      const isLink = LINK.test(before) && segment.length >= MIN_LINK && !UUID.test(segment);
      const isSecret = (isLink || masking.isSecret(before)) && looksRandom(segment);
      const masked = isSecret ? masking.replace(segment, before) : maskPart(segment, masking);
      before = segment;
      return masked;
    })
    .join("/");
}

/** Masks the secrets in a part of an address. Of one that is encoded, nothing is left. */
function maskPart(part: string, masking: Masking): string {
  let inner = part;
  for (let times = 0; times < MAX_DECODINGS && inner.includes("%"); times++) {
    inner = decoded(inner);
    if (maskText(inner, false, masking) !== inner) return masking.replace(part, "encoded");
  }
  return maskText(part, false, masking);
}

/** A quick check that excludes most texts. */
export function mayHoldSecret(text: string): boolean {
  let inner = text;
  for (let times = 0; ; times++) {
    if (hintsAtSecret(inner) || USER_INFO.test(inner) || CODE.test(inner) || mayHoldForm(inner)) return true;
    if (times === MAX_DECODINGS || !inner.includes("%")) return false;
    inner = decoded(inner);
  }
}

/** Masks one pair of a query string. It may contain others, after a semicolon or encoded in its value. */
function maskPair(pair: string, masking: Masking): string {
  let start = 0;
  for (let at = 0; at < pair.length; at++) {
    const code = pair.charCodeAt(at);
    if (!endsPart(code)) continue;
    const name = code === EQUALS ? decoded(pair.slice(start, at)) : "";
    const value = pair.slice(at + 1);
    if (name !== "" && masking.isSecret(name, value)) return `${pair.slice(0, at)}=${masking.replace(value, name)}`;
    start = at + 1;
  }
  const value = pair.indexOf("=") + 1;
  return value === 0 ? pair : `${pair.slice(0, value)}${maskPart(pair.slice(value), masking)}`;
}

/** Masks the password in `https://user:password@host`, or a token in place of the user. */
function maskUserInfo(text: string, masking: Masking): string {
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
    masked += text.slice(copied, start + secret) + masking.replace(authority.slice(secret, info), "user info");
    copied = start + info;
  }
  return masked + text.slice(copied);
}

/** CORS headers contain no secrets, whatever their names. */
const OPEN_HEADER = /^access-control-/;
/** Characters shown of a secret to recognise it; too many of one shorter than `MIN_LENGTH`. */
const SHOWN = 5;
const MIN_LENGTH = 10;

/** Masks a header with a secret name, and the secrets in a URL that another header may contain. */
export function maskHeader(lowerCaseName: string, value: string): string {
  if (OPEN_HEADER.test(lowerCaseName)) return value;
  if (!isSecretName(lowerCaseName)) return maskText(value);
  return value.length < MIN_LENGTH ? MASK : `${value.slice(0, SHOWN)}${MASK}`;
}

/** Creates a fast test for a set of ASCII characters, which is called for every character of a text. */
export function createCharacters(characters: string): (code: number) => boolean {
  const members = new Uint8Array(128);
  for (const character of characters) members[character.charCodeAt(0)] = 1;
  return (code) => members[code] === 1;
}
