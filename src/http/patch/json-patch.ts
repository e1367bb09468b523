import { StandinError } from "../../base/errors.ts";
import { isDeepStrictEqual } from "../../base/json/equality.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";

const OPERATIONS = ["add", "remove", "replace", "move", "copy", "test"] as const;
const MAX_OPERATIONS = 1000;
/** Copies can double a record with each operation; this bounds what they add. */
const MAX_COPIED_VALUES = 500_000;
/** So many letters of texts and names count as a value. */
const LETTERS = 20;

/** One operation of a JSON Patch (RFC 6902), its pointers parsed. */
export interface PatchOperation {
  readonly op: (typeof OPERATIONS)[number];
  readonly path: readonly string[];
  readonly from: readonly string[];
  readonly value: Json;
  /** Its name in messages: `operation 3 (move)`. */
  readonly place: string;
}

/** Parses the body of a JSON Patch. Throws PATCH_INVALID, naming the operation. */
export function parsePatch(body: Json): PatchOperation[] {
  if (!Array.isArray(body)) throw invalid("A JSON Patch is an array of operations.");
  if (body.length > MAX_OPERATIONS) throw invalid(`A JSON Patch has at most ${MAX_OPERATIONS} operations.`);
  return body.map(parseOperation);
}

function parseOperation(json: Json, at: number): PatchOperation {
  const op = isJsonObject(json) && Object.hasOwn(json, "op") ? json.op : undefined;
  if (!isOperation(op)) {
    throw invalid(
      `operation ${at}: "op" must be one of ${OPERATIONS.join(", ")}, not ${JSON.stringify(op) ?? "missing"}.`,
    );
  }
  const fields = json as JsonObject;
  const place = `operation ${at} (${op})`;
  const pointer = (name: string): string[] => {
    const given = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (typeof given !== "string") throw invalid(`${place}: "${name}" must be a JSON Pointer such as "/price".`);
    return parsePointer(given, place);
  };
  const needsValue = op === "add" || op === "replace" || op === "test";
  if (needsValue && !Object.hasOwn(fields, "value")) throw invalid(`${place}: "value" is missing.`);
  const needsFrom = op === "move" || op === "copy";
  const path = pointer("path");
  const from = needsFrom ? pointer("from") : [];
  if (op === "move" && from.length < path.length && from.every((token, depth) => token === path[depth])) {
    throw invalid(`${place}: a value cannot be moved into itself.`);
  }
  return { op, path, from, value: fields.value ?? null, place };
}

function isOperation(op: Json | undefined): op is PatchOperation["op"] {
  return typeof op === "string" && (OPERATIONS as readonly string[]).includes(op);
}

/** Applies a JSON Patch. Changes nothing in the given value; throws PATCH_FAILED where the patch does not fit it. */
export function applyPatch(value: Json, operations: readonly PatchOperation[]): Json {
  let copied = 0;
  let result = value;
  for (const operation of operations) {
    if (operation.op === "copy") {
      copied += countValues(valueAt(result, operation.from, operation.place), MAX_COPIED_VALUES - copied);
      if (copied >= MAX_COPIED_VALUES) throw invalid(`${operation.place}: the patch copies too much.`);
    }
    result = applyOperation(result, operation);
  }
  return result;
}

function applyOperation(root: Json, { op, path, from, value, place }: PatchOperation): Json {
  switch (op) {
    case "add":
      return edit(root, { kind: "add", path, value, place });
    case "remove":
      return edit(root, { kind: "remove", path, value: null, place });
    case "replace":
      return edit(root, { kind: "replace", path, value, place });
    case "copy":
      return edit(root, { kind: "add", path, value: valueAt(root, from, place), place });
    case "move": {
      const moved = valueAt(root, from, place);
      const rest = edit(root, { kind: "remove", path: from, value: null, place });
      return edit(rest, { kind: "add", path, value: moved, place });
    }
    case "test":
      if (isDeepStrictEqual(valueAt(root, path, place), value)) return root;
      throw new StandinError("PATCH_FAILED", `${place}: the value at "${textOf(path)}" is different.`);
  }
}

interface PatchEdit {
  readonly kind: "add" | "remove" | "replace";
  readonly path: readonly string[];
  readonly value: Json;
  readonly place: string;
}

/** The value with one edit at the path; shares everything that stays. */
function edit(value: Json, change: PatchEdit, depth = 0): Json {
  const { path } = change;
  const name = path[depth];
  if (name === undefined) {
    if (change.kind === "remove") throw invalid(`${change.place}: the whole record cannot be removed; use DELETE.`);
    return change.value;
  }
  const isLast = depth === path.length - 1;
  if (Array.isArray(value)) {
    const isInsert = isLast && change.kind === "add";
    const position = positionIn(value, name, isInsert);
    if (position === undefined) throw missing(path, change.place);
    if (isInsert) return value.toSpliced(position, 0, change.value);
    if (isLast && change.kind === "remove") return value.toSpliced(position, 1);
    return value.with(position, edit(value[position]!, change, depth + 1));
  }
  if (!isJsonObject(value)) throw missing(path, change.place);
  const held = Object.hasOwn(value, name) ? value[name] : undefined;
  if (held === undefined && !(isLast && change.kind === "add")) throw missing(path, change.place);
  if (isLast && change.kind === "remove") {
    const { [name]: _, ...rest } = value;
    return rest;
  }
  return { ...value, [name]: held === undefined ? change.value : edit(held, change, depth + 1) };
}

/** The position that a token names; the end of the array, `-`, only to insert there. */
function positionIn(array: readonly Json[], token: string, isInsert: boolean): number | undefined {
  if (isInsert && token === "-") return array.length;
  if (!/^(0|[1-9]\d{0,15})$/.test(token)) return undefined;
  const position = Number(token);
  return position < array.length + (isInsert ? 1 : 0) ? position : undefined;
}

function valueAt(root: Json, path: readonly string[], place: string): Json {
  let value = root;
  for (const name of path) {
    const inner = innerValue(value, name);
    if (inner === undefined) throw missing(path, place);
    value = inner;
  }
  return value;
}

function innerValue(value: Json, name: string): Json | undefined {
  if (Array.isArray(value)) return value[positionIn(value, name, false) ?? -1];
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The number of values in a value, long texts counted several times, as far as `limit`. */
function countValues(value: Json, limit: number): number {
  let count = 0;
  const waiting: Json[] = [value];
  for (let next = waiting.pop(); next !== undefined && count < limit; next = waiting.pop()) {
    count += typeof next === "string" ? 1 + next.length / LETTERS : 1;
    if (Array.isArray(next)) for (const inner of next) waiting.push(inner);
    else if (isJsonObject(next)) for (const [name, inner] of Object.entries(next)) waiting.push(name, inner);
  }
  return count;
}

function missing(path: readonly string[], place: string): StandinError {
  return new StandinError("PATCH_FAILED", `${place}: there is no value at "${textOf(path)}".`);
}

function textOf(path: readonly string[]): string {
  return path.map((token) => `/${token.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function invalid(message: string): StandinError {
  return new StandinError("PATCH_INVALID", message);
}

/** Parses a JSON Pointer (RFC 6901) into its tokens. `__proto__` is refused: no record needs it, and programs trip over it. */
function parsePointer(pointer: string, place: string): string[] {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) throw invalid(`${place}: "${pointer}" is not a JSON Pointer; it must begin with "/".`);
  return pointer
    .slice(1)
    .split("/")
    .map((token) => {
      if (/~(?![01])/.test(token)) throw invalid(`${place}: "${pointer}" has a "~" that is neither "~0" nor "~1".`);
      const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
      if (name === "__proto__") throw invalid(`${place}: "${pointer}" names "__proto__".`);
      return name;
    });
}
