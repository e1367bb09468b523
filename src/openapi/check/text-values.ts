import { type Json, type JsonObject, setField } from "../../base/json/json.ts";
import type { TextShape } from "./text-shape.ts";

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** The value that a text stands for: of the types that are allowed, the first that it can be read as. */
export function readScalar(text: string, { types }: TextShape): Json {
  if ((types.has("integer") || types.has("number")) && NUMBER.test(text) && Number.isFinite(Number(text))) {
    return Number(text);
  }
  if (types.has("boolean") && (text === "true" || text === "false")) return text === "true";
  if (types.has("null") && (text === "null" || (text === "" && !types.has("string")))) return null;
  return text;
}

/** Whether a value of this shape may come as several texts. */
export function isList({ types }: TextShape): boolean {
  return types.has("array");
}

export function isObject({ types }: TextShape): boolean {
  return types.has("object") && !types.has("array");
}

const ANY: TextShape = { types: new Set(), items: undefined, properties: new Map() };

export function readTextList(texts: readonly string[], { items = ANY }: TextShape): Json {
  return texts.map((text) => readScalar(text, items));
}

/** Reads pairs of names and texts. */
export function readTextPairs(pairs: Iterable<readonly [string, string]>, { properties }: TextShape): Json {
  const read: JsonObject = {};
  for (const [name, text] of pairs) setField(read, name, readScalar(text, properties.get(name) ?? ANY));
  return read;
}

/** A form: fields with their texts, several for a repeated one. Lists may be written as `name[]`. */
export function readForm(
  fields: Iterable<readonly [string, readonly string[]]>,
  { properties }: TextShape,
): JsonObject {
  const read: JsonObject = {};
  for (const [written, texts] of fields) {
    const bare = written.endsWith("[]") && !properties.has(written) ? written.slice(0, -2) : written;
    const shape = properties.get(bare) ?? ANY;
    setField(read, bare, readField(texts, shape, bare !== written));
  }
  return read;
}

function readField(texts: readonly string[], shape: TextShape, isMarkedList: boolean): Json {
  if (isList(shape))
    return texts.length === 1 ? (parsed(texts[0]!, "[") ?? readTextList(texts, shape)) : readTextList(texts, shape);
  if (texts.length > 1 || isMarkedList) return readTextList(texts, shape);
  const [text] = texts as [string];
  return (isObject(shape) ? parsed(text, "{") : undefined) ?? readScalar(text, shape);
}

/** JSON in a field, which forms use for objects. */
function parsed(text: string, start: string): Json | undefined {
  if (!text.trimStart().startsWith(start)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
