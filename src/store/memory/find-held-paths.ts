import { isJsonObject, type Json } from "../../base/json/json.ts";
import type { Work } from "../../base/slices.ts";
import { hasPath, type Path } from "../../query/path.ts";
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
  for (let from = 0, to = 0; from < records.length && open.length > 0; from = to) {
    to = Math.min(from + Math.ceil(TESTS_PER_STEP / open.length), records.length);
    for (let at = nextCandidate(records, from, to, open); at < to; at = nextCandidate(records, at + 1, to, open)) {
      const { value } = records[at]!;
      const found = open.filter((path) => hasPath(value, path));
      for (const { text } of found) held.add(text);
      if (found.length > 0) open = open.filter(({ text }) => !held.has(text));
    }
    yield;
  }
  return held;
}

/**
 * The first position from `from` on whose record may have one of the paths; `to` if there is none before. Hot path: most
 * paths are names that no record has.
 */
function nextCandidate(records: readonly StoredRecord[], from: number, to: number, paths: readonly Path[]): number {
  for (let at = from; at < to; at++) {
    const { value } = records[at]!;
    if (!isJsonObject(value)) return at;
    for (let which = 0; which < paths.length; which++) {
      const { segments } = paths[which]!;
      if (segments.length > 1 || value[segments[0]!] !== undefined) return at;
    }
  }
  return to;
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

/** The most fields to remember; others are searched each time. */
const MAX_FIELDS = 200;

/**
 * Tells whether any record has a field. Remembers one record with each requested field, so that no search is repeated
 * until a write removes that record or adds the first one.
 */
export class HeldFields {
  readonly #witnesses = new Map<string, StoredRecord | undefined>();

  has(field: string, records: readonly StoredRecord[]): boolean {
    if (this.#witnesses.has(field)) return this.#witnesses.get(field) !== undefined;
    const witness = records.find((record) => holds(record, field));
    if (this.#witnesses.size < MAX_FIELDS) this.#witnesses.set(field, witness);
    return witness !== undefined;
  }

  /** Notes a write; a new record has no `before`, a removed one no `after`. */
  written(before: StoredRecord | undefined, after: StoredRecord | undefined): void {
    for (const [field, witness] of this.#witnesses) {
      if (witness !== undefined && witness !== before) continue;
      if (after && holds(after, field)) this.#witnesses.set(field, after);
      else if (witness) this.#witnesses.delete(field);
    }
  }
}

function holds({ value }: StoredRecord, field: string): boolean {
  return isJsonObject(value) && Object.hasOwn(value, field);
}
