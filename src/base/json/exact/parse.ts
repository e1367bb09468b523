import { ExactNumber, MARK } from "./exact-number.ts";
import { isNumeric, isSpace, mayHoldExact } from "./find-exact.ts";
import { needsText } from "./needs-text.ts";

/** The result of JSON.parse, in which a number that no double can hold is an `ExactNumber`. */
export function parseExact(text: string): unknown {
  if (!mayHoldExact(text)) return JSON.parse(text);
  return unmarked(JSON.parse(markExact(text)));
}

/** Puts a marked string in place of every number that needs its text. What is no JSON stays none. */
function markExact(text: string): string {
  let marked = "";
  let done = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at);
    else if (code !== 0x2d && !(code >= 0x30 && code <= 0x39)) at++;
    else {
      const start = at;
      while (isNumeric(text.charCodeAt(at))) at++;
      const token = text.slice(start, at);
      // A number before a colon is no key, but its string would be one.
      if (!needsText(token) || isBeforeColon(text, at)) continue;
      marked += `${text.slice(done, start)}"${MARK}${token}"`;
      done = at;
    }
  }
  return marked + text.slice(done);
}

function isBeforeColon(text: string, at: number): boolean {
  let next = at;
  while (isSpace(text.charCodeAt(next))) next++;
  return text.charCodeAt(next) === 0x3a;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; ) {
    const end = text.indexOf('"', at);
    if (end === -1) return text.length;
    let first = end;
    while (text.charCodeAt(first - 1) === 0x5c) first--;
    if ((end - first) % 2 === 0) return end + 1;
    at = end + 1;
  }
}

/** Replaces marked strings, in place. Without recursion: the text may be nested deeply. */
function unmarked(root: unknown): unknown {
  const holder = [root];
  const open: object[] = [holder];
  const exactOr = (value: unknown): unknown => {
    if (typeof value === "object" && value !== null) open.push(value);
    return typeof value === "string" && value.startsWith(MARK) ? new ExactNumber(value.slice(MARK.length)) : value;
  };
  for (let container = open.pop(); container; container = open.pop()) {
    if (Array.isArray(container)) {
      for (let at = 0; at < container.length; at++) container[at] = exactOr(container[at]);
      continue;
    }
    for (const key of Object.keys(container)) {
      const value = exactOr((container as Record<string, unknown>)[key]);
      // Defined rather than set, because the key may be `__proto__`.
      if (value instanceof ExactNumber) Object.defineProperty(container, key, { value });
    }
  }
  return holder[0];
}
