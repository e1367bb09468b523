import { charactersOf, countDigits, isHexDigit, isLetter, LETTERS_AND_DIGITS } from "./characters.ts";
import { isIpv4, isIpv6 } from "./hosts.ts";

const UNRESERVED = `${LETTERS_AND_DIGITS}-._~`;
const DELIMITERS = "!$&'()*+,;=";
const SCHEME = charactersOf(`${LETTERS_AND_DIGITS}+-.`);
const USER = charactersOf(`${UNRESERVED}${DELIMITERS}:`);
const NAME = charactersOf(`${UNRESERVED}${DELIMITERS}`);
const PATH = charactersOf(`${UNRESERVED}${DELIMITERS}:@/`);
const QUERY = charactersOf(`${UNRESERVED}${DELIMITERS}:@/?`);

/** RFC 3986, with a scheme. */
export function isUri(text: string): boolean {
  return isWithScheme(text, false);
}

/** RFC 3986, with or without a scheme. */
export function isUriReference(text: string): boolean {
  return isWithScheme(text, false) || isRelative(text, false);
}

/** RFC 3987: letters beyond ASCII are allowed. */
export function isIri(text: string): boolean {
  return isWithScheme(text, true);
}

export function isIriReference(text: string): boolean {
  return isWithScheme(text, true) || isRelative(text, true);
}

function isWithScheme(text: string, isWide: boolean): boolean {
  const colon = text.indexOf(":");
  if (colon < 1 || !isLetter(text.charCodeAt(0))) return false;
  return consistsOf(text.slice(0, colon), SCHEME, false) && isAfterScheme(text.slice(colon + 1), isWide);
}

function isRelative(text: string, isWide: boolean): boolean {
  const path = pathOf(text);
  // A colon in the first segment would end a scheme.
  const first = path.split("/", 1)[0]!;
  return (text.startsWith("//") || !first.includes(":")) && isAfterScheme(text, isWide);
}

function isAfterScheme(text: string, isWide: boolean): boolean {
  const hash = text.indexOf("#");
  if (hash !== -1 && !consistsOf(text.slice(hash + 1), QUERY, isWide)) return false;
  const whole = hash === -1 ? text : text.slice(0, hash);
  const mark = whole.indexOf("?");
  if (mark !== -1 && !consistsOf(whole.slice(mark + 1), QUERY, isWide)) return false;
  const path = mark === -1 ? whole : whole.slice(0, mark);
  if (!path.startsWith("//")) return consistsOf(path, PATH, isWide);
  const slash = path.indexOf("/", 2);
  const authority = slash === -1 ? path.slice(2) : path.slice(2, slash);
  return isAuthority(authority, isWide) && (slash === -1 || consistsOf(path.slice(slash), PATH, isWide));
}

function pathOf(text: string): string {
  const hash = text.indexOf("#");
  const whole = hash === -1 ? text : text.slice(0, hash);
  const mark = whole.indexOf("?");
  return mark === -1 ? whole : whole.slice(0, mark);
}

function isAuthority(text: string, isWide: boolean): boolean {
  const at = text.lastIndexOf("@");
  if (at !== -1 && !consistsOf(text.slice(0, at), USER, isWide)) return false;
  const host = text.slice(at + 1);
  if (host.startsWith("[")) {
    const end = host.indexOf("]");
    return end !== -1 && isLiteral(host.slice(1, end)) && isPort(host.slice(end + 1));
  }
  const colon = host.indexOf(":");
  return (
    consistsOf(colon === -1 ? host : host.slice(0, colon), NAME, isWide) && (colon === -1 || isPort(host.slice(colon)))
  );
}

/** An address in brackets: IPv6, or one of a later version. */
function isLiteral(text: string): boolean {
  if (isIpv6(text)) return true;
  const dot = text.indexOf(".");
  const isLater = (text.charCodeAt(0) | 0x20) === 0x76 && dot > 1 && dot < text.length - 1;
  return isLater && !isIpv4(text) && consistsOf(text.slice(dot + 1), USER, false) && isHex(text.slice(1, dot));
}

function isHex(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (!isHexDigit(text.charCodeAt(at))) return false;
  return true;
}

function isPort(text: string): boolean {
  return text === "" || (text.startsWith(":") && countDigits(text, 1) === text.length - 1);
}

function consistsOf(text: string, set: readonly boolean[], isWide: boolean): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x25) {
      if (!isHexDigit(text.charCodeAt(at + 1)) || !isHexDigit(text.charCodeAt(at + 2))) return false;
      at += 2;
    } else if (code < 128 ? !set[code] : !isWide || code < 0xa0) return false;
  }
  return true;
}
