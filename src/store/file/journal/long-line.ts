import { crc32 } from "node:zlib";
import type { Work } from "../../../base/slices.ts";
import { dataTooLarge, MAX_TEXT } from "../../data-too-large.ts";
import { LARGE_TEXT, piecesOf } from "./pieces.ts";

/** A line with its line break. A long one stays in parts: to join them, and to take the text apart again, blocks others. */
export type LineText = string | readonly string[];

/** A line of the journal, and the version it leads to. */
export interface Line {
  readonly version: number;
  readonly text: LineText;
  /** The line that the history keeps of it, if any. */
  readonly past?: LineText | undefined;
}

/** The least characters of a part: few enough to convert and write in about a millisecond. */
const PART_LENGTH = 128 * 1024;
const CHECKSUM_LENGTH = 8;

/** The characters of a line. */
export function lengthOf(text: LineText): number {
  return typeof text === "string" ? text.length : text.reduce((sum, part) => sum + part.length, 0);
}

export function totalLength(lines: readonly Line[]): number {
  return lines.reduce((sum, { text }) => sum + lengthOf(text), 0);
}

export function isLarge({ text }: Line): boolean {
  return typeof text !== "string" || text.length > LARGE_TEXT;
}

/** The text of all lines together; in parts if one of them is. */
export function textOfAll(lines: readonly Line[]): LineText {
  const parts: string[] = [];
  let text = "";
  for (const line of lines) {
    if (typeof line.text === "string") text += line.text;
    else {
      parts.push(text, ...line.text);
      text = "";
    }
  }
  return parts.length === 0 ? text : [...parts, text];
}

/** The checksum of a line as it is written. */
export function digits(sum: number): string {
  return sum.toString(16).padStart(CHECKSUM_LENGTH, "0");
}

/** Encodes a line whose JSON comes in texts of any length, with pauses. Throws if a start could not read it. */
export function* encodeLongLine(json: Iterable<string>, subject = "The change"): Work<readonly string[]> {
  const parts = [""];
  let sum = 0;
  let length = 0;
  for (const part of joined(json)) {
    sum = crc32(part, sum);
    length += part.length;
    if (length > MAX_TEXT) throw dataTooLarge(subject, undefined, MAX_TEXT);
    parts.push(part);
    yield;
  }
  parts[0] = `${digits(sum)} `;
  parts.push("\n");
  return parts;
}

/** The same text in parts of about one length. */
function* joined(texts: Iterable<string>): Generator<string> {
  let part = "";
  for (const text of texts) {
    part += text;
    if (part.length < PART_LENGTH) continue;
    yield* piecesOf(part);
    part = "";
  }
  yield part;
}
