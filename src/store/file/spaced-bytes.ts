import type { Work } from "../../base/slices.ts";

/** Characters of one text between two pauses. */
const TEXT_STEP = 128 * 1024;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The white space around a record in a data file, in bytes. */
export interface Spacing {
  /** A line break and the indentation of the record. */
  readonly line: number;
  /** What each level of it is indented by. */
  readonly level: number;
  /** After a colon. */
  readonly colon: number;
}

/** Where the weighing of a text is. */
interface Weighing extends Spacing {
  at: number;
  /** A line break and the indentation of the level. */
  line: number;
  /** The bytes that white space has added so far. */
  added: number;
}

/** The bytes that compact JSON has in a data file with this white space. */
export function* spacedBytes(json: string, spacing: Spacing): Work<number> {
  const weighing: Weighing = { ...spacing, at: 0, added: 0 };
  for (;;) {
    weighStep(json, weighing);
    if (weighing.at >= json.length) return Buffer.byteLength(json) + weighing.added;
    yield;
  }
}

/** The same at once. */
export function spacedBytesNow(json: string, spacing: Spacing): number {
  const weighing: Weighing = { ...spacing, at: 0, added: 0 };
  while (weighing.at < json.length) weighStep(json, weighing);
  return Buffer.byteLength(json) + weighing.added;
}

/** Weighs the next part of a text. */
function weighStep(json: string, weighing: Weighing): void {
  let { at, line, added } = weighing;
  const { level, colon } = weighing;
  for (const end = Math.min(at + TEXT_STEP, json.length); at < end; at++) {
    switch (json.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(json, at);
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        // Empty ones stay on their line.
        if (isClosing(json.charCodeAt(at + 1))) at++;
        else added += line += level;
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        added += line -= level;
        break;
      case COMMA:
        added += line;
        break;
      case COLON:
        added += colon;
    }
  }
  weighing.at = at;
  weighing.line = line;
  weighing.added = added;
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
