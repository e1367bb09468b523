import type { Work } from "../../slices.ts";
import { stringifyJson } from "../exact/stringify.ts";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { isLight, LARGE_TEXT } from "./light.ts";
import { parseInPieces } from "./parse-in-pieces.ts";
import { cutNear } from "./pieces.ts";

/** Elements of a long array that are written together if they are small. */
export const RUN = 64;

/** The result of JSON.stringify, with pauses unless the value is light. */
export function* stringifyInPieces(value: Json): Work<string> {
  if (isLight(value)) return stringifyJson(value);
  let text = "";
  if (Array.isArray(value)) {
    for (const run of runsOf(value)) {
      if (run.length === 1) text += `,${yield* stringifyInPieces(run[0]!)}`;
      else text += `,${stringifyJson(run).slice(1, -1)}`;
      yield;
    }
    return `[${text.slice(1)}]`;
  }
  if (isJsonObject(value)) {
    for (const name of Object.keys(value)) {
      text += `,${JSON.stringify(name)}:${yield* stringifyInPieces(value[name]!)}`;
      yield;
    }
    return `{${text.slice(1)}}`;
  }
  for (const part of partsOf(value as string)) {
    text += JSON.stringify(part).slice(1, -1);
    yield;
  }
  return `"${text}"`;
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

/** The elements in runs that are light together, or one by one. */
function* runsOf(values: readonly Json[]): Generator<readonly Json[]> {
  for (let at = 0; at < values.length; at += RUN) {
    const run = values.slice(at, at + RUN);
    if (run.length > 1 && isLight(run)) yield run;
    else for (const element of run) yield [element];
  }
}

function* partsOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const cut = cutNear(text, at + LARGE_TEXT, text.length);
    yield text.slice(at, cut);
    at = cut;
  }
}
