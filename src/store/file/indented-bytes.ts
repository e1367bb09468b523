import type { Work } from "../../base/slices.ts";

/** Characters between two pauses. */
const STEP = 128 * 1024;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The bytes that compact JSON has in a data file: indented by 2 spaces per level, from `indent` spaces on. */
export function* indentedBytes(json: string, indent: number): Work<number> {
  let added = 0;
  let line = 1 + indent;
  let pauseAt = STEP;
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(json, at);
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        // Empty ones stay on their line.
        if (isClosing(json.charCodeAt(at + 1))) at++;
        else added += line += 2;
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        added += line -= 2;
        break;
      case COMMA:
        added += line;
        break;
      case COLON:
        added++;
    }
    if (at < pauseAt) continue;
    pauseAt = at + STEP;
    yield;
  }
  return Buffer.byteLength(json) + added;
}

function isClosing(code: number): boolean {
  return code === CLOSE_ARRAY || code === CLOSE_OBJECT;
}

/** The position of the quote that ends a string. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let slashes = 0;
    while (json.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return json.length;
}
