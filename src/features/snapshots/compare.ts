import { setImmediate as nextTurn } from "node:timers/promises";
import type { Json, JsonObject } from "../../json.ts";
import { type Id, idOf, lookupKey } from "../../store/ids.ts";
import type { Exported, Store } from "../../store/store.ts";

/** How many ids of each kind are named. */
const MAX_EXAMPLES = 20;
/** Records gone through before others have their turn. */
const STEP = 2000;

type Difference = "added" | "changed" | "removed";

export interface MemberComparison extends Readonly<Record<Difference, number>> {
  readonly name: string;
  readonly examples: Readonly<Record<Difference, readonly Id[]>>;
}

/** The records of a member by what tells them apart. */
type Records = ReadonlyMap<Id, { readonly id: Id | undefined; readonly text: string }>;
interface OneRecord {
  readonly value: Json;
  readonly text?: string;
  /** Of a singleton, with any value. */
  readonly key?: string;
}

/** Compares a database with a snapshot, member by member: present ones first, then removed ones. */
export async function compareWithNow(saved: JsonObject, store: Store): Promise<MemberComparison[]> {
  const now = new Map((await store.export()).map((member) => [member.name, member]));
  const comparisons: MemberComparison[] = [];
  for (const name of new Set([...now.keys(), ...Object.keys(saved)])) {
    const member = now.get(name);
    // Not served, so not compared.
    if (member?.kind === "aside" || name === "$schema") continue;
    const idKey = store.idKeyOf(name);
    const before = await byKey(savedRecords(saved, name), idKey);
    comparisons.push(compareMember(name, before, await byKey(presentRecords(member), idKey)));
  }
  return comparisons;
}

function compareMember(name: string, before: Records, after: Records): MemberComparison {
  const counts = { added: 0, changed: 0, removed: 0 };
  const examples: Record<Difference, Id[]> = { added: [], changed: [], removed: [] };
  const note = (kind: Difference, id: Id | undefined): void => {
    counts[kind]++;
    if (id !== undefined && examples[kind].length < MAX_EXAMPLES) examples[kind].push(id);
  };
  for (const [key, { id, text }] of after) {
    const former = before.get(key);
    if (!former) note("added", id);
    else if (former.text !== text) note("changed", id);
  }
  for (const [key, { id }] of before) if (!after.has(key)) note("removed", id);
  return { name, ...counts, examples };
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
  const found = new Map<Id, { id: Id | undefined; text: string }>();
  const equals = new Map<string, number>();
  for (const [position, { value, key, text = JSON.stringify(value) }] of records.entries()) {
    if (position % STEP === STEP - 1) await nextTurn();
    const id = key === undefined ? idOf(value, idKey) : undefined;
    if (key !== undefined) found.set(key, { id, text });
    else if (id !== undefined) found.set(lookupKey(id), { id, text });
    else {
      const count = (equals.get(text) ?? 0) + 1;
      equals.set(text, count);
      found.set(`${count} x ${text}`, { id, text });
    }
  }
  return found;
}
