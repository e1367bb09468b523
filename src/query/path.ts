import type { Json } from "../base/json/json.ts";

/** A path into a record: `price`, `headquarter.lat`, `locations.0.city`, `locations[0].city`, `locations.city`. */
export interface Path {
  /** The path as written. A field with exactly this name takes precedence. */
  readonly text: string;
  readonly segments: readonly string[];
}

export function parsePath(text: string): Path {
  if (!text.includes("[")) return { text, segments: text.split(".") };
  const segments = text.replace(/\[["']?([^\]"']*)["']?\]/g, ".$1").split(".");
  return { text, segments: text.startsWith("[") ? segments.slice(1) : segments };
}

/**
 * Calls `visit` with every value at the path until one call returns true; returns whether one did. Visits the elements of
 * an array unless the segment is an index or `length`.
 */
export function someValueAt(record: Json, path: Path, visit: (value: Json) => boolean): boolean {
  const { segments } = path;
  if (segments.length > 1) {
    const literal = property(record, path.text);
    if (literal !== undefined) return visit(literal);
    return walk(record, segments, 0, visit);
  }
  // Hot path: a field of the record itself.
  const value = property(record, segments[0]!);
  if (value !== undefined) return visit(value);
  return Array.isArray(record) && walk(record, segments, 0, visit);
}

/** The field of the record itself that the path names; undefined where it names another value, or several. */
export function ownFieldAt(record: Json, { segments }: Path): Json | undefined {
  return segments.length === 1 ? property(record, segments[0] ?? "") : undefined;
}

/** The single value at the path, without visiting array elements: the one a record is sorted by. */
export function valueAt(record: Json, path: Path): Json | undefined {
  if (path.segments.length === 1) return property(record, path.text);
  const literal = property(record, path.text);
  return literal === undefined ? valueBySegments(record, path) : literal;
}

/** The same, but never a field with exactly the name of the path. */
export function valueBySegments(record: Json, { segments }: Path): Json | undefined {
  let value: Json | undefined = record;
  for (const segment of segments) {
    if (value === undefined) return undefined;
    value = property(value, segment);
  }
  return value;
}

/** Whether the record has a value (null included) at the path. */
export function hasPath(record: Json, path: Path): boolean {
  return someValueAt(record, path, () => true);
}

/** Hot path: positional parameters, so that a step allocates nothing. */
function walk(value: Json, segments: readonly string[], depth: number, visit: (value: Json) => boolean): boolean {
  if (depth === segments.length) return visit(value);
  const next = property(value, segments[depth]!);
  if (next !== undefined) return walk(next, segments, depth + 1, visit);
  if (!Array.isArray(value)) return false;
  return value.some((element) => typeof element === "object" && walk(element, segments, depth, visit));
}

/**
 * Reads an own property: inherited ones such as `constructor` are not data. 0.17.4: a text has its characters and a
 * `length`, like an array.
 */
function property(value: Json, key: string): Json | undefined {
  if (typeof value === "string") return Object.hasOwn(Object(value), key) ? Object(value)[key] : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  const found = (value as Record<string, Json>)[key];
  if (found === undefined) return undefined;
  return key in Object.prototype || Array.isArray(value) ? ownProperty(value, key) : found;
}

function ownProperty(value: object, key: string): Json | undefined {
  return Object.hasOwn(value, key) ? (value as Record<string, Json>)[key] : undefined;
}
