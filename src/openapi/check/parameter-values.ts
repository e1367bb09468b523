import type { Json } from "../../base/json/json.ts";
import type { Parameter } from "../read/api-document.ts";
import { headOf } from "./sent-fields.ts";
import { ANY_SHAPE, type TextShape } from "./text-shape.ts";
import { isList, isObject, parsed, readForm, readScalar, readTextList, readTextPairs } from "./text-values.ts";

/** Names and values as they are written, still encoded. */
export type RawPairs = readonly (readonly [name: string, value: string])[];

/** Reads a query string; names are decoded. */
export function readRawQuery(search: string): RawPairs {
  const text = search.startsWith("?") ? search.slice(1) : search;
  if (text === "") return [];
  return text.split("&").flatMap((pair): [string, string][] => {
    if (pair === "") return [];
    const at = pair.indexOf("=");
    return at === -1 ? [[decodedText(pair), ""]] : [[decodedText(pair.slice(0, at)), pair.slice(at + 1)]];
  });
}

/** Reads a `Cookie` header. */
export function readRawCookies(header: string | undefined): RawPairs {
  return (header ?? "").split(";").flatMap((pair): [string, string][] => {
    const at = pair.indexOf("=");
    return at === -1
      ? []
      : [
          [
            pair.slice(0, at).trim(),
            pair
              .slice(at + 1)
              .trim()
              .replace(/^"(.*)"$/, "$1"),
          ],
        ];
  });
}

/** The value of a parameter in a query or in cookies; undefined where it is missing. */
export function readFromPairs(pairs: RawPairs, parameter: Parameter, shape: TextShape): Json | undefined {
  const { name, style, explode } = parameter;
  const isInner = isList(shape) || shape.types.has("object");
  if (style === "deepObject" || (isInner && pairs.some(([key]) => isInBrackets(key, name)))) {
    return readBrackets(pairs, name, shape);
  }
  const given = pairs.filter(([key]) => key === name).map(([, value]) => value);
  if (given.length === 0) {
    return style === "form" && explode && isObject(shape) ? readSpreadObject(pairs, shape) : undefined;
  }
  const [first] = given as [string];
  if (isList(shape) && shape.items && isObject(shape.items)) return objectsIn(given.map(decodedText));
  if (isList(shape)) {
    const isSplit = given.length === 1 && (!explode || style !== "form");
    return readTextList(isSplit ? split(first, DELIMITERS[style] ?? commaIn(first)) : given.map(decodedText), shape);
  }
  if (isObject(shape) && !explode)
    return readTextPairs(inPairs(split(first, DELIMITERS[style] ?? commaIn(first))), shape);
  return readForm([[name, given.map(decodedText)]], only(name, shape))[name];
}

/** OpenAPI leaves open how objects are written in a list: those in JSON are read, and others are not judged. */
function objectsIn(texts: readonly string[]): Json[] {
  return texts.flatMap((text) => parsed(text, "[") ?? parsed(text, "{") ?? []);
}

/** The value of a part of the path, or of a header. A part of the path is decoded by now. */
export function readSimple(
  text: string,
  parameter: Pick<Parameter, "name" | "in" | "style" | "explode">,
  shape: TextShape,
): Json {
  const { name, in: at, style, explode } = parameter;
  const { body, delimiter } = unprefixed(text, parameter);
  const trim = at === "header";
  const pieces = (): string[] =>
    body === "" ? [] : body.split(delimiter).map((piece) => (trim ? piece.trim() : piece));
  if (isList(shape)) {
    const prefix = `${name}=`;
    const isNamed = style === "matrix" && explode;
    return readTextList(isNamed ? pieces().map((piece) => piece.replace(prefix, "")) : pieces(), shape);
  }
  if (!isObject(shape)) return readScalar(body, shape);
  return readTextPairs(explode ? pieces().map(pairIn) : inPairs(pieces()), shape);
}

export const DELIMITERS: Readonly<Record<string, string | RegExp>> = {
  spaceDelimited: / |\+|%20/,
  pipeDelimited: /\||%7C/i,
};

/** Browsers and many clients escape the commas between values, too: those in values cannot be told apart then. */
function commaIn(text: string): string | RegExp {
  return text.includes(",") ? "," : /%2C/i;
}

function unprefixed(
  text: string,
  { name, style, explode }: Pick<Parameter, "name" | "style" | "explode">,
): { readonly body: string; readonly delimiter: string } {
  if (style === "label") return { body: text.replace(/^\./, ""), delimiter: explode ? "." : "," };
  if (style !== "matrix") return { body: text, delimiter: "," };
  const bare = text.replace(/^;/, "");
  const isNamed = bare.startsWith(`${name}=`) && !explode;
  return { body: isNamed ? bare.slice(name.length + 1) : scalarOf(bare, name), delimiter: explode ? ";" : "," };
}

/** `;id=5` stands for one value where there is no other. */
function scalarOf(text: string, name: string): string {
  return text.startsWith(`${name}=`) && !text.includes(";") ? text.slice(name.length + 1) : text;
}

function split(text: string, delimiter: string | RegExp): string[] {
  return text === "" ? [] : text.split(delimiter).map(decodedText);
}

/** `R,100,G,200`. */
function inPairs(pieces: readonly string[]): [string, string][] {
  return pieces.flatMap((piece, at): [string, string][] => (at % 2 === 0 ? [[piece, pieces[at + 1] ?? ""]] : []));
}

/** `R=100`. */
function pairIn(piece: string): [string, string] {
  const at = piece.indexOf("=");
  return at === -1 ? [piece, ""] : [piece.slice(0, at), piece.slice(at + 1)];
}

/** Properties as parameters of their own. */
function readSpreadObject(pairs: RawPairs, shape: TextShape): Json | undefined {
  const own = pairs.filter(([name]) => shape.properties.has(name) || shape.properties.has(headOf(name)));
  return own.length === 0 ? undefined : readForm(pairTexts(own), shape);
}

/** `filter[name]=x`, `filter[]=x` and all deeper ones. */
function readBrackets(pairs: RawPairs, name: string, shape: TextShape): Json | undefined {
  const own = pairs.filter(([key]) => key === name || isInBrackets(key, name));
  return own.length === 0 ? undefined : readForm(pairTexts(own), only(name, shape))[name];
}

function isInBrackets(key: string, name: string): boolean {
  return key.startsWith(name) && key[name.length] === "[" && key.endsWith("]");
}

/** An object with one property. */
function only(name: string, shape: TextShape): TextShape {
  return { ...ANY_SHAPE, properties: new Map([[name, shape]]) };
}

/** The decoded texts of each name. */
export function pairTexts(pairs: RawPairs): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [name, value] of pairs) found.set(name, [...(found.get(name) ?? []), decodedText(value)]);
  return found;
}

/** Undoes percent-escapes and plus signs; broken ones stay as they are. */
export function decodedText(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
