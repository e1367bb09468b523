import { type Json, type JsonObject, setField } from "../../base/json/json.ts";
import { type FieldTexts, isListPosition, type SentField, sentFields } from "./sent-fields.ts";
import { ANY_SHAPE, type TextShape } from "./text-shape.ts";

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
/** Such as `007`, which is a text where texts are allowed. */
const PADDED = /^-?0\d/;

/** The value that a text stands for: of the types that are allowed, the first that it can be read as. */
export function readScalar(text: string, { types }: TextShape): Json {
  const isText = types.has("string");
  if ((types.has("integer") || types.has("number")) && NUMBER.test(text) && Number.isFinite(Number(text))) {
    if (!isText || !PADDED.test(text)) return Number(text);
  }
  if (types.has("boolean") && (text === "true" || text === "false")) return text === "true";
  if (types.has("null") && (text === "null" || (text === "" && !isText))) return null;
  return text;
}

/** Whether a value of this shape may come as several texts. */
export function isList({ types }: TextShape): boolean {
  return types.has("array");
}

export function isObject({ types }: TextShape): boolean {
  return types.has("object") && !types.has("array");
}

export function readTextList(texts: readonly string[], { items = ANY_SHAPE }: TextShape): Json[] {
  return texts.map((text) => readScalar(text, items));
}

/** Reads pairs of names and texts. */
export function readTextPairs(pairs: Iterable<readonly [string, string]>, shape: TextShape): Json {
  const read: JsonObject = {};
  for (const [name, text] of pairs) setField(read, name, readScalar(text, memberOf(shape, name)));
  return read;
}

/** Reads a form. Objects and lists may be written with brackets: `a[b]`, `a[0]`, `a[]`. */
export function readForm(fields: FieldTexts, shape: TextShape): JsonObject {
  return readMembers(
    sentFields(fields, (name) => shape.properties.has(name)),
    shape,
  );
}

function readMembers(fields: SentField["inner"], shape: TextShape): JsonObject {
  const read: JsonObject = {};
  for (const [name, field] of fields) setField(read, name, readField(field, memberOf(shape, name)));
  return read;
}

function memberOf({ properties, others = ANY_SHAPE }: TextShape, name: string): TextShape {
  return properties.get(name) ?? others;
}

function readField({ texts, inner }: SentField, shape: TextShape): Json {
  if (inner.size === 0) return readTexts(texts, shape);
  const names = [...inner.keys()];
  if (!names.every(isListPosition) || (isObject(shape) && !inner.has(""))) return readMembers(inner, shape);
  const { items = ANY_SHAPE } = shape;
  const placed = [...inner].filter(([name]) => name !== "").sort(([a], [b]) => Number(a) - Number(b));
  return [
    ...placed.map(([, field]) => readField(field, items)),
    ...(inner.get("")?.texts ?? []).map((text) => readTexts([text], items)),
  ];
}

function readTexts(texts: readonly string[], shape: TextShape): Json {
  if (texts.length > 1) return readTextList(texts, shape);
  const [text = ""] = texts;
  if (isList(shape)) return parsed(text, "[") ?? (shape.types.has("string") ? text : readTextList(texts, shape));
  return (isObject(shape) ? parsed(text, "{") : undefined) ?? readScalar(text, shape);
}

/** JSON in a field, which forms use for objects. */
export function parsed(text: string, start: string): Json | undefined {
  if (!text.trimStart().startsWith(start)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
