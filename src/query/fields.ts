import { StandinError } from "../base/errors.ts";
import { isJsonObject, type Json, type JsonObject, keepDigits, setField } from "../base/json/json.ts";
import { type Path, parsePath } from "./path.ts";
import type { FieldSelection } from "./query.ts";

/** More names would make a long list slow for everybody. */
const MAX_NAMES = 1000;
const MAX_ROOTS = 100;

/** Parses `_fields`: names to keep, or names with a leading `-` to drop. `has` tells which fields begin with one. */
export function parseFields(names: readonly string[], has: (path: string) => boolean): FieldSelection | undefined {
  if (names.length === 0) return undefined;
  if (names.length > MAX_NAMES) {
    throw new StandinError("QUERY_INVALID", `_fields: ${names.length} names; at most ${MAX_NAMES} are allowed.`);
  }
  const isDropped = (name: string): boolean => name.startsWith("-") && name.length > 1 && !has(name);
  const dropped = names.filter(isDropped);
  if (dropped.length > 0 && dropped.length < names.length) {
    throw new StandinError(
      "QUERY_INVALID",
      `_fields=${names.join(",")}: either name the fields to keep, or put a - before each name to drop.`,
    );
  }
  const drops = dropped.length > 0;
  return { drops, paths: names.map((name) => parsePath(drops ? name.slice(1) : name)) };
}

/** A function that reduces a value to the selected fields. Structure stays; the elements of arrays are reduced one by one. */
export function createProjection({ paths, drops }: FieldSelection): (value: Json) => Json {
  const root = new Branch();
  for (const path of paths) root.add(path.segments);
  const reduce = drops ? drop : keep;
  // A field whose name is the whole path, such as "a.b", takes precedence.
  const literals = new Set(paths.filter(isDivided).map(({ text }) => text));
  if (literals.size === 0) return (value) => (isNested(value) ? keepDigits(reduce(value, root), value) : value);
  const roots = new RootsByLiterals(paths);
  return (value) => {
    if (!isNested(value)) return value;
    const held = Object.keys(value).filter((name) => literals.has(name));
    return keepDigits(reduce(value, held.length === 0 ? root : roots.for(held)), value);
  };
}

function isDivided({ segments, text }: Path): boolean {
  return segments.length > 1 && segments[0] !== text;
}

/** The names at one level of the paths; a name without further ones is selected as a whole. */
class Branch {
  readonly inner = new Map<string, Branch>();
  isWhole = false;

  add(segments: readonly string[]): void {
    let branch: Branch = this;
    for (const name of segments) {
      const next = branch.inner.get(name) ?? new Branch();
      branch.inner.set(name, next);
      branch = next;
    }
    branch.isWhole = true;
  }
}

/** The branches for values with fields that are named like whole paths. Few values differ in these. */
class RootsByLiterals {
  readonly #paths: readonly Path[];
  readonly #roots = new Map<string, Branch>();

  constructor(paths: readonly Path[]) {
    this.#paths = paths;
  }

  for(held: readonly string[]): Branch {
    const key = held.join("\n");
    const known = this.#roots.get(key);
    if (known) return known;
    const names = new Set(held);
    const root = new Branch();
    for (const path of this.#paths) root.add(names.has(path.text) ? [path.text] : path.segments);
    if (this.#roots.size === MAX_ROOTS) this.#roots.clear();
    this.#roots.set(key, root);
    return root;
  }
}

function keep(value: Json[] | JsonObject, branch: Branch): Json {
  if (Array.isArray(value)) return value.filter(isNested).map((element) => keep(element, branch));
  const selected: JsonObject = {};
  for (const name of Object.keys(value)) {
    const next = branch.inner.get(name);
    if (!next) continue;
    const inner = value[name]!;
    if (next.isWhole) setField(selected, name, inner);
    else if (isNested(inner)) setField(selected, name, keep(inner, next));
  }
  return selected;
}

/** Whether a path can lead on into the value. */
function isNested(value: Json): value is Json[] | JsonObject {
  return Array.isArray(value) || isJsonObject(value);
}

function drop(value: Json, branch: Branch): Json {
  if (Array.isArray(value)) return value.map((element) => drop(element, branch));
  if (!isJsonObject(value)) return value;
  const remaining: JsonObject = {};
  for (const name of Object.keys(value)) {
    const inner = branch.inner.get(name);
    if (!inner) setField(remaining, name, value[name]!);
    else if (!inner.isWhole) setField(remaining, name, drop(value[name]!, inner));
  }
  return remaining;
}
