import { type Json, type JsonObject, stringifyJson } from "../../base/json/json.ts";
import { createPause } from "../../base/slices.ts";
import { type Id, idOf, lookupKey } from "../../store/ids.ts";
import type { Exported, Store } from "../../store/store.ts";

export type DifferenceKind = "added" | "changed" | "removed";

/** A record that differs. Its value is undefined on the side where it is not there. */
export interface Difference {
  readonly kind: DifferenceKind;
  /** Undefined for a singleton, and for a record without one. */
  readonly id: Id | undefined;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** A member of the snapshot, of the data beside it, or of both. */
export interface ComparedMember {
  readonly name: string;
  readonly kind: "collection" | "singleton";
  readonly wasThere: boolean;
  readonly isThere: boolean;
  /** Later records in their order, then removed ones. */
  differences(): AsyncIterable<Difference>;
}

/** The records of a member by what tells them apart. */
type Records = ReadonlyMap<Id, KnownRecord>;
interface KnownRecord {
  readonly id: Id | undefined;
  readonly text: string;
  readonly value: Json;
}
interface OneRecord {
  readonly value: Json;
  readonly text?: string;
  /** Of a singleton, with any value. */
  readonly key?: string;
}

/** The data that a snapshot is compared with: the present, or another snapshot. */
export interface Compared {
  readonly saved: JsonObject;
  /** Undefined for the present. */
  readonly later: JsonObject | undefined;
}

/** Compares a snapshot with later data, member by member: later ones first, then removed ones. */
export async function* comparedMembers({ saved, later }: Compared, store: Store): AsyncGenerator<ComparedMember> {
  const present = new Map((await store.export()).map((member) => [member.name, member]));
  const names = later ? Object.keys(later) : present.keys();
  for (const name of new Set([...names, ...Object.keys(saved)])) {
    const member = present.get(name);
    // Not served, so not compared.
    if (member?.kind === "aside" || name === "$schema") continue;
    const idKey = store.idKeyOf(name);
    const before = await byKey(savedRecords(saved, name), idKey);
    const after = await byKey(later ? savedRecords(later, name) : presentRecords(member), idKey);
    yield {
      name,
      kind: member?.kind ?? (Array.isArray(saved[name] ?? later?.[name]) ? "collection" : "singleton"),
      wasThere: Object.hasOwn(saved, name),
      isThere: later ? Object.hasOwn(later, name) : member !== undefined,
      differences: () => differencesOf(before, after),
    };
  }
}

async function* differencesOf(before: Records, after: Records): AsyncGenerator<Difference> {
  const pause = createPause();
  for (const [key, { id, text, value }] of after) {
    if (pause.isDue) await pause.take();
    const former = before.get(key);
    if (!former) yield { kind: "added", id, before: undefined, after: value };
    else if (former.text !== text) yield { kind: "changed", id, before: former.value, after: value };
  }
  for (const [key, { id, value }] of before) {
    if (pause.isDue) await pause.take();
    if (!after.has(key)) yield { kind: "removed", id, before: value, after: undefined };
  }
}

function savedRecords(saved: JsonObject, name: string): OneRecord[] {
  const value = Object.hasOwn(saved, name) ? saved[name] : undefined;
  if (value === undefined) return [];
  return Array.isArray(value) ? value.map((one) => ({ value: one })) : [{ value, key: "" }];
}

function presentRecords(member: Exclude<Exported, { kind: "aside" }> | undefined): readonly OneRecord[] {
  if (member?.kind === "singleton") return [{ value: member.record.value, key: "" }];
  return member?.records ?? [];
}

/** By id; records without one by their text, so that a changed one counts as removed and added. */
async function byKey(records: readonly OneRecord[], idKey: string): Promise<Records> {
  const found = new Map<Id, KnownRecord>();
  const equals = new Map<string, number>();
  const pause = createPause();
  for (const { value, key, text = stringifyJson(value) } of records) {
    if (pause.isDue) await pause.take();
    const id = key === undefined ? idOf(value, idKey) : undefined;
    if (key !== undefined) found.set(key, { id, text, value });
    else if (id !== undefined) found.set(lookupKey(id), { id, text, value });
    else {
      const count = (equals.get(text) ?? 0) + 1;
      equals.set(text, count);
      found.set(`${count} x ${text}`, { id, text, value });
    }
  }
  return found;
}
