import { StandinError } from "../base/errors.ts";
import { type Json, parseJson, stringifyJson } from "../base/json/json.ts";
import { Buffer } from "../base/platform/buffer.ts";
import { createHash } from "../base/platform/crypto.ts";
import { outlineOf } from "./filter.ts";
import { compareValues, keyText, sortedValue } from "./order.ts";
import type { Query, SortKey } from "./query.ts";

/** Enough characters to notice a cursor that was damaged or belongs elsewhere. */
const HASH_LENGTH = 10;

/** The position after one record: its sort keys (undefined for a missing value) and its place in the collection. */
export interface CursorPosition {
  readonly keys: readonly (Json | undefined)[];
  readonly slot: number;
}

/** A record as far as a cursor knows it. */
interface Placed {
  readonly value: Json;
  readonly slot: number;
}

/** The cursor behind a record. `data` identifies the data that its place belongs to. */
export function createCursor(record: Placed, query: Query, data: string): string {
  const keys = query.sort.map((sortKey) => {
    const key = sortedValue(record.value, sortKey);
    return key === undefined ? [] : [key];
  });
  const text = stringifyJson([fingerprint(query, data), record.slot, ...keys]);
  return Buffer.from(`${hash(text)}${text}`).toString("base64url");
}

/** Reads a cursor; undefined for the empty one. Throws CURSOR_INVALID unless it was made for this query and these data. */
export function readCursor(cursor: string, query: Query, data: string): CursorPosition | undefined {
  if (cursor === "") return undefined;
  const parts = decode(cursor);
  if (!parts) throw refusal("it is damaged");
  const [mark, slot, ...keys] = parts;
  const known = fingerprint(query, data);
  if (mark !== known) {
    const isSameQuery = String(mark).split(".")[0] === known.split(".")[0];
    throw refusal(isSameQuery ? "the data has been replaced since" : "it belongs to another sort or filter");
  }
  if (keys.length !== query.sort.length) throw refusal("it is damaged");
  return { slot, keys: keys.map(([key]) => key) };
}

/** Compares a record with a position, in the order of the sort keys and then of the collection. */
export function compareToPosition(record: Placed, { keys, slot }: CursorPosition, sort: readonly SortKey[]): number {
  for (const [at, key] of sort.entries()) {
    const difference = compareValues(sortedValue(record.value, key), keys[at]);
    if (difference !== 0) return key.descending ? -difference : difference;
  }
  return record.slot - slot;
}

type CursorParts = [mark: string, slot: number, ...keys: [Json?][]];

function decode(cursor: string): CursorParts | undefined {
  const text = Buffer.from(cursor, "base64url").toString();
  const content = text.slice(HASH_LENGTH);
  if (hash(content) !== text.slice(0, HASH_LENGTH)) return undefined;
  try {
    const parts = parseJson(content);
    return isCursor(parts) ? parts : undefined;
  } catch {
    return undefined;
  }
}

/** The hash keeps mistakes out, but anyone can make one for a content of their own. */
function isCursor(parts: unknown): parts is CursorParts {
  if (!Array.isArray(parts)) return false;
  const [mark, slot, ...keys] = parts as unknown[];
  // A record that was put back may have a place between two whole numbers.
  const isPlace = typeof slot === "number" && Number.isSafeInteger(Math.floor(slot));
  return typeof mark === "string" && isPlace && keys.every((key) => Array.isArray(key));
}

/** Differs for another order, another filter and other data. */
function fingerprint({ where, search, sort }: Query, data: string): string {
  const order = sort.map((key) => [keyText(key), key.descending]);
  return `${hash(JSON.stringify([order, search, where.map(outlineOf)]))}.${hash(data)}`;
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, HASH_LENGTH);
}

function refusal(reason: string): StandinError {
  return new StandinError(
    "CURSOR_INVALID",
    `_after: this cursor cannot be used: ${reason}. Start again with an empty one: _after=`,
  );
}
