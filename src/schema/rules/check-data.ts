import type { Json } from "../../base/json/json.ts";
import { within } from "../pointer.ts";
import { comparedText, dangling, duplicate, fieldOf, noCollection } from "./comparison.ts";
import { compileRule, type RecordJudge } from "./compile-rules.ts";
import type { CollectionRules, Rules } from "./rules.ts";
import { ValueSet } from "./value-set.ts";
import type { Violation } from "./violation.ts";

/** A collection or singleton, as it is read. */
export type CheckedMember =
  | { readonly kind: "collection"; readonly name: string; readonly values: Iterable<Json> | AsyncIterable<Json> }
  | { readonly kind: "singleton" | "aside"; readonly name: string; readonly value: Json };

/** A rule that a record breaks. */
export interface RuleFinding extends Violation {
  readonly collection: string;
  /** The id of the record; null if it has none, or is a singleton. */
  readonly id: string | number | null;
  /** The position of the record in its collection, from 0. */
  readonly index: number;
}

interface CheckOptions {
  readonly rules: Rules;
  readonly idKeyOf: (collection: string) => string;
  /** Reads the data from its beginning. */
  readonly read: () => AsyncIterable<CheckedMember>;
  /** Called with each violation, in the order of the data. */
  readonly report: (finding: RuleFinding) => void;
}

export interface Checked {
  /** Records and singletons that have rules. */
  readonly records: number;
  readonly violations: number;
  /** Names in the rules that the data does not have. */
  readonly missing: readonly string[];
  /** The names that the data has. */
  readonly names: readonly string[];
}

/** Whether the data must be read a second time: keys are collected before records are compared with them. */
export function needsKeys(rules: Rules): boolean {
  return [...rules.values()].some(({ unique, references }) => unique.length > 0 || Object.keys(references).length > 0);
}

/** Judges all data by the rules. Remembers the keys of records, not the records. */
export async function checkData({ rules, idKeyOf, read, report }: CheckOptions): Promise<Checked> {
  const keys = needsKeys(rules) ? await collectKeys(rules, idKeyOf, read) : NO_KEYS;
  const missing = new Set(rules.keys());
  const names: string[] = [];
  let records = 0;
  let violations = 0;
  for await (const member of read()) {
    if (member.kind !== "aside") names.push(member.name);
    const memberRules = rules.get(member.name);
    if (!memberRules || member.kind === "aside") continue;
    missing.delete(member.name);
    const check = new RecordCheck(memberRules, await compileRule(memberRules), { name: member.name, ...keys });
    const idKey = idKeyOf(member.name);
    let index = 0;
    for await (const value of member.kind === "collection" ? member.values : [member.value]) {
      const id = member.kind === "collection" ? idOf(value, idKey) : null;
      for (const violation of check.violationsOf(value, id, member.kind === "collection")) {
        violations++;
        report({ collection: member.name, id, index, ...violation });
      }
      index++;
    }
    records += index;
  }
  return { records, violations, missing: [...missing], names };
}

/** The keys that records are compared with. */
interface Keys {
  /** The ids of the collections that others refer to. */
  readonly ids: ReadonlyMap<string, ValueSet>;
  /** The collections of the data. */
  readonly collections: ReadonlySet<string>;
  /** By collection and field: values that seem to come twice. */
  readonly repeated: ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;
}

const NO_KEYS: Keys = { ids: new Map(), collections: new Set(), repeated: new Map() };

async function collectKeys(rules: Rules, idKeyOf: CheckOptions["idKeyOf"], read: CheckOptions["read"]): Promise<Keys> {
  const targets = [...rules.values()].flatMap(({ references }) =>
    Object.values(references).map(({ collection }) => collection),
  );
  const ids = new Map(targets.map((name) => [name, new ValueSet()]));
  const repeated = new Map<string, Map<string, Set<string>>>();
  const collections = new Set<string>();
  for await (const member of read()) {
    if (member.kind !== "collection") continue;
    collections.add(member.name);
    const seenIds = ids.get(member.name);
    const unique = (rules.get(member.name)?.unique ?? []).map((field) => new UniqueField(field));
    if (!seenIds && unique.length === 0) continue;
    const idKey = idKeyOf(member.name);
    for await (const value of member.values) {
      const id = idOf(value, idKey);
      if (id !== null) seenIds?.add(String(id));
      for (const field of unique) field.add(value);
    }
    repeated.set(member.name, new Map(unique.map(({ name, repeated }) => [name, repeated])));
  }
  return { ids, collections, repeated };
}

/** Finds the texts that a field has twice. It may list others, too, but none of these can be met twice. */
class UniqueField {
  readonly name: string;
  readonly repeated = new Set<string>();
  readonly #seen = new ValueSet();

  constructor(name: string) {
    this.name = name;
  }

  add(record: Json): void {
    const text = comparedText(fieldOf(record, this.name));
    if (text !== undefined && !this.#seen.add(text)) this.repeated.add(text);
  }
}

/** Judges the records of one member. */
class RecordCheck {
  readonly #rules: CollectionRules;
  readonly #judge: RecordJudge;
  readonly #keys: Keys & { readonly name: string };
  /** Fields that refer to a collection which the data does not have: one violation is enough. */
  readonly #reported = new Set<string>();
  /** By field and text: the first record that has a value which comes twice. */
  readonly #owners = new Map<string, Map<string, string | number | null>>();

  constructor(rules: CollectionRules, judge: RecordJudge, keys: Keys & { readonly name: string }) {
    this.#rules = rules;
    this.#judge = judge;
    this.#keys = keys;
  }

  *violationsOf(record: Json, id: string | number | null, isCollection: boolean): Generator<Violation> {
    yield* this.#judge(record);
    if (!isCollection) return;
    for (const field of this.#rules.unique) yield* this.#duplicates(record, id, field);
    for (const [field, { collection }] of Object.entries(this.#rules.references)) {
      yield* this.#dangling(record, field, collection);
    }
  }

  *#duplicates(record: Json, id: string | number | null, field: string): Generator<Violation> {
    const value = fieldOf(record, field);
    const text = comparedText(value);
    const { name, repeated } = this.#keys;
    if (value === undefined || text === undefined || !repeated.get(name)?.get(field)?.has(text)) return;
    const owners = this.#owners.get(field) ?? new Map<string, string | number | null>();
    this.#owners.set(field, owners);
    const owner = owners.get(text);
    if (owner === undefined) owners.set(text, id);
    else yield duplicate({ name, field, value }, owner);
  }

  *#dangling(record: Json, field: string, collection: string): Generator<Violation> {
    const value = fieldOf(record, field);
    if (value === undefined || value === null) return;
    const { ids: allIds, collections } = this.#keys;
    if (!collections.has(collection)) {
      if (!this.#reported.has(field)) yield noCollection(within("", field), collection, collections);
      this.#reported.add(field);
      return;
    }
    const ids = allIds.get(collection);
    for (const [position, one] of (Array.isArray(value) ? value : [value]).entries()) {
      const text = comparedText(one);
      if (text !== undefined && ids?.has(text)) continue;
      const pointer = Array.isArray(value) ? `${within("", field)}/${position}` : within("", field);
      yield dangling(pointer, collection, one);
    }
  }
}

function idOf(record: Json, idKey: string): string | number | null {
  const id = fieldOf(record, idKey);
  return typeof id === "number" || (typeof id === "string" && id !== "") ? id : null;
}
