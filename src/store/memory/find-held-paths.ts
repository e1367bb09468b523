import type { Json } from "../../json.ts";
import { hasPath, type Path } from "../../query/path.ts";
import type { Work } from "../../slices.ts";
import type { StoredRecord } from "../stored-record.ts";

/** From this many paths on, it is worth reading all names of fields first. */
const MANY = 4;
/** The most names to remember. */
const MAX_NAMES = 100_000;
/** The tests of one path against one record, or the names read, between two possible pauses. */
const TESTS_PER_STEP = 2000;

/** The texts of those paths at which any record has a value (null included). */
export function* findHeldPaths(records: readonly StoredRecord[], paths: readonly Path[]): Work<Set<string>> {
  const names = paths.length >= MANY ? yield* namesIn(records) : undefined;
  const possible = names ? paths.filter((path) => isPossible(path, names)) : paths;
  const held = new Set<string>();
  let open = [...possible];
  let tests = 0;
  for (const { value } of records) {
    if (open.length === 0) break;
    if (open.some((path) => mayHave(value, path))) {
      for (const path of open) if (hasPath(value, path)) held.add(path.text);
      open = open.filter(({ text }) => !held.has(text));
    }
    tests += open.length;
    if (tests < TESTS_PER_STEP) continue;
    tests = 0;
    yield;
  }
  return held;
}

/** Hot path: tells most records at once that do not have a field. */
function mayHave(value: Json, { segments }: Path): boolean {
  if (segments.length > 1 || typeof value !== "object" || value === null || Array.isArray(value)) return true;
  return value[segments[0]!] !== undefined;
}

/** The names of all fields, at any depth; undefined if there are too many. */
function* namesIn(records: readonly StoredRecord[]): Work<Set<string> | undefined> {
  const names = new Set<string>();
  let before = 0;
  let read = 0;
  const collect = (value: Json): void => {
    if (typeof value !== "object" || value === null) return;
    read++;
    if (Array.isArray(value)) {
      for (const element of value) collect(element);
      return;
    }
    for (const name in value) {
      names.add(name);
      collect(value[name]!);
    }
  };
  for (const { value } of records) {
    collect(value);
    if (names.size > MAX_NAMES) return undefined;
    if (read - before < TESTS_PER_STEP) continue;
    before = read;
    yield;
  }
  return names;
}

/** Whether a record with these names may have a value at the path. Texts and arrays have positions and a length. */
function isPossible({ text, segments }: Path, names: ReadonlySet<string>): boolean {
  const isKnown = (segment: string): boolean => names.has(segment) || segment === "length" || /^\d+$/.test(segment);
  return names.has(text) || segments.every(isKnown);
}
