import { constants } from "../../platform/buffer.ts";
import type { Work } from "../../slices.ts";
import { isJsonObject, isLight, type Json, type JsonObject, LARGE_TEXT, stringifyJson } from "../json.ts";
import { parseInPieces } from "./parse-in-pieces.ts";
import { cutNear } from "./pieces.ts";

/** Elements of a long array that are written together if they are small. */
export const RUN = 64;

/** The result of JSON.stringify, with pauses unless the value is light. Throws as soon as the text gets too long. */
export function* stringifyInPieces(value: Json, maxLength = constants.MAX_STRING_LENGTH): Work<string> {
  return (yield* stringifyInParts(value, maxLength)).join("");
}

/** The same in parts, for texts of so many megabytes that joining them takes long. */
export function* stringifyInParts(value: Json, maxLength = Number.POSITIVE_INFINITY): Work<string[]> {
  if (isLight(value)) return [stringifyJson(value)];
  // Not by adding to one text: it would stay a tree of pieces, and putting that into one piece takes long.
  const parts: string[] = [];
  let pieces: string[] = [];
  let length = 0;
  let left = maxLength;
  for (const piece of compactPieces(value)) {
    pieces.push(piece);
    length += piece.length;
    left -= piece.length;
    // As JavaScript says it of a text that is too long for it.
    if (left < 0) throw new RangeError("Invalid string length");
    yield;
    if (length < LARGE_TEXT) continue;
    parts.push(pieces.join(""));
    pieces = [];
    length = 0;
  }
  parts.push(pieces.join(""));
  return parts;
}

/** The result of JSON.stringify, in pieces. */
export function* compactPieces(value: Json): Generator<string> {
  if (isLight(value)) {
    yield stringifyJson(value);
  } else if (Array.isArray(value)) {
    let before = "[";
    for (let at = 0; at < value.length; at += RUN) {
      yield before;
      yield* compactRun(value.slice(at, at + RUN));
      before = ",";
    }
    yield "]";
  } else if (isJsonObject(value)) {
    let before = "{";
    for (const name of Object.keys(value)) {
      yield `${before}${JSON.stringify(name)}:`;
      yield* compactPieces(value[name]!);
      before = ",";
    }
    yield "}";
  } else {
    yield '"';
    for (const part of partsOf(value as string)) yield JSON.stringify(part).slice(1, -1);
    yield '"';
  }
}

/** The elements of an array, as they appear in it. */
export function* compactRun(run: readonly Json[]): Generator<string> {
  if (isLight(run as Json[])) {
    yield stringifyJson(run).slice(1, -1);
    return;
  }
  for (const [position, element] of run.entries()) {
    if (position > 0) yield ",";
    yield* compactPieces(element);
  }
}

/** The result of JSON.stringify with an indent of two spaces, in pieces; `indent` is that of the surrounding text. */
export function* indentedPieces(value: Json, indent: string): Generator<string> {
  if (isLight(value)) yield indented(value, indent);
  else if (Array.isArray(value)) yield* indentedArray(value, indent);
  else if (isJsonObject(value)) yield* indentedObject(value, indent);
  else {
    yield '"';
    for (const part of partsOf(value as string)) yield JSON.stringify(part).slice(1, -1);
    yield '"';
  }
}

/** Formats a JSON text with an indent of two spaces, with pauses. */
export function* indentInPieces(json: string): Work<string> {
  const value = yield* parseInPieces(json);
  let text = "";
  for (const piece of indentedPieces(value, "")) {
    text += piece;
    yield;
  }
  return text;
}

function* indentedArray(values: readonly Json[], indent: string): Generator<string> {
  let before = "[";
  for (let at = 0; at < values.length; at += RUN) {
    yield before;
    yield* indentedRun(values.slice(at, at + RUN), indent);
    before = ",";
  }
  yield `\n${indent}]`;
}

/** The elements of an array with this indent, as they appear in it; each begins with a line break. */
export function* indentedRun(run: readonly Json[], indent: string): Generator<string> {
  if (isLight(run as Json[])) {
    // Without the brackets and the line of the closing one.
    yield indented(run, indent).slice(1, -2 - indent.length);
    return;
  }
  for (const [position, element] of run.entries()) {
    yield `${position === 0 ? "" : ","}\n${indent}  `;
    yield* indentedPieces(element, `${indent}  `);
  }
}

function* indentedObject(value: JsonObject, indent: string): Generator<string> {
  let before = "{";
  for (const name of Object.keys(value)) {
    yield `${before}\n${indent}  ${JSON.stringify(name)}: `;
    yield* indentedPieces(value[name]!, `${indent}  `);
    before = ",";
  }
  yield `\n${indent}}`;
}

/** Formats a value as it stands in text with this indent, which is some pairs of spaces. */
export function indented(value: unknown, indent: string): string {
  if (indent === "") return stringifyJson(value, 2);
  // Inside of an array, the value gets the indent right away: adding it to each line takes as long as the formatting.
  const inArray = indented([value], indent.slice(2));
  return inArray.slice("[\n".length + indent.length, -indent.length);
}

function* partsOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const cut = cutNear(text, at + LARGE_TEXT, text.length);
    yield text.slice(at, cut);
    at = cut;
  }
}
