import { charactersOf, countDigits, isHexDigit, LETTERS_AND_DIGITS } from "./characters.ts";

const MAX_HOST = 253;
const MAX_LABEL = 63;
const MAX_LOCAL = 64;
const LABEL = charactersOf(`${LETTERS_AND_DIGITS}-`);
const LOCAL = charactersOf(`${LETTERS_AND_DIGITS}.!#$%&'*+-/=?^_\`{|}~`);

/** RFC 1123: labels of letters, digits and dashes. */
export function isHostname(text: string): boolean {
  return areLabels(text, false);
}

/** The same with letters beyond ASCII. */
export function isIdnHostname(text: string): boolean {
  return areLabels(text, true);
}

export function isEmail(text: string): boolean {
  return isAddress(text, false);
}

export function isIdnEmail(text: string): boolean {
  return isAddress(text, true);
}

function areLabels(text: string, isWide: boolean): boolean {
  if (text.length === 0 || text.length > MAX_HOST) return false;
  for (let start = 0; start <= text.length; ) {
    const dot = text.indexOf(".", start);
    const end = dot === -1 ? text.length : dot;
    if (!isLabel(text, start, end, isWide)) return false;
    start = end + 1;
  }
  return true;
}

function isLabel(text: string, start: number, end: number, isWide: boolean): boolean {
  if (end === start || end - start > MAX_LABEL) return false;
  if (text.charCodeAt(start) === 0x2d || text.charCodeAt(end - 1) === 0x2d) return false;
  return consistsOf(text, { start, end, set: LABEL, isWide });
}

interface Part {
  readonly start: number;
  readonly end: number;
  /** The ASCII characters allowed in it. */
  readonly set: readonly boolean[];
  readonly isWide: boolean;
}

function consistsOf(text: string, { start, end, set, isWide }: Part): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code < 128 ? !set[code] : !isWide || isSpace(code)) return false;
  }
  return true;
}

/** Controls and spaces beyond ASCII, which no name has. */
function isSpace(code: number): boolean {
  return (
    code <= 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200f) ||
    (code >= 0x2028 && code <= 0x202f) ||
    code === 0x3000
  );
}

function isAddress(text: string, isWide: boolean): boolean {
  const at = text.lastIndexOf("@");
  if (at < 1 || at > MAX_LOCAL) return false;
  const host = text.slice(at + 1);
  if (host.startsWith("[") && host.endsWith("]")) {
    const address = host.slice(1, -1);
    if (!(isIpv4(address) || (address.startsWith("IPv6:") && isIpv6(address.slice(5))))) return false;
  } else if (!areLabels(host, isWide)) return false;
  const local = text.slice(0, at);
  if (local.length > 2 && local.startsWith('"') && local.endsWith('"')) return isQuoted(local.slice(1, -1), isWide);
  // Dots stand between two parts.
  if (local.startsWith(".") || local.endsWith(".") || local.includes("..")) return false;
  return consistsOf(local, { start: 0, end: at, set: LOCAL, isWide });
}

/** The content of a quoted string, RFC 5321. */
function isQuoted(text: string, isWide: boolean): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) {
      at++;
      if (at === text.length) return false;
    } else if (code < 0x20 || code === 0x22 || code === 0x7f || (code > 0x7f && !isWide)) return false;
  }
  return true;
}

export function isIpv4(text: string): boolean {
  if (text.length > 15) return false;
  const parts = text.split(".");
  return parts.length === 4 && parts.every(isByte);
}

function isByte(part: string): boolean {
  if (part.length === 0 || part.length > 3 || countDigits(part, 0) !== part.length) return false;
  return (part.length === 1 || !part.startsWith("0")) && Number(part) <= 255;
}

/** RFC 4291 section 2.2; without a zone. */
export function isIpv6(text: string): boolean {
  if (text.length < 2 || text.length > 45) return false;
  const halves = text.split("::");
  if (halves.length > 2) return false;
  const [left, right] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const groups = [...left!, ...(right ?? [])];
  let count = groups.length;
  for (const [at, group] of groups.entries()) {
    if (at === groups.length - 1 && group.includes(".") && !text.endsWith("::")) {
      if (!isIpv4(group)) return false;
      count++;
    } else if (!isGroup(group)) return false;
  }
  return right ? count <= 7 : count === 8;
}

function isGroup(group: string): boolean {
  if (group.length === 0 || group.length > 4) return false;
  for (let at = 0; at < group.length; at++) if (!isHexDigit(group.charCodeAt(at))) return false;
  return true;
}
