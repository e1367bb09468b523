import { isJsonObject, type Json } from "../../base/json/json.ts";
import { inSlices, type Work } from "../../base/slices.ts";
import { within } from "../../schema/pointer.ts";
import type { RuleBook } from "../../schema/rules/rule-book.ts";
import type { CollectionRules } from "../../schema/rules/rules.ts";
import { keyTexts } from "../../store/key-texts.ts";
import { contentOf, type Exported, type Store } from "../../store/store.ts";

/** Rules that a warning names. */
const MAX_NAMED = 5;

/** A member whose data breaks rules. */
export interface BrokenMember {
  readonly name: string;
  /** The number of records that break any rule. */
  readonly records: number;
  /** Counts the records for each rule. */
  readonly warning: string;
}

export async function brokenRules(store: Store, rules: RuleBook, isOver: () => boolean): Promise<BrokenMember[]> {
  await rules.prepare();
  const members = await store.export(store.surveyLimit);
  return inSlices(judgeAll({ members, store, rules, isOver }));
}

interface Judging {
  readonly members: readonly Exported[];
  readonly rules: RuleBook;
  readonly store: Store;
  readonly isOver: () => boolean;
}

function* judgeAll(judging: Judging): Work<BrokenMember[]> {
  const broken: BrokenMember[] = [];
  for (const member of judging.members) {
    const ruled = judging.rules.of(member.name);
    if (!ruled || member.kind === "aside") continue;
    const counts = new Map<string, number>();
    const records = yield* judgeMember(judging, { name: member.name, content: contentOf(member), ruled, counts });
    if (judging.isOver()) return [];
    if (records > 0) broken.push({ name: member.name, records, warning: warningOf(member.name, records, counts) });
  }
  return broken;
}

interface JudgedMember {
  readonly name: string;
  readonly content: Json;
  readonly ruled: CollectionRules;
  /** The number of records for each rule. */
  readonly counts: Map<string, number>;
}

/** Returns the number of records that break any rule. */
function* judgeMember(judging: Judging, { name, content, ruled, counts }: JudgedMember): Work<number> {
  const violationsOf = judging.rules.judgeOf(name);
  const records = Array.isArray(content) ? content : [content];
  const others = othersOf(judging, ruled);
  const seen = ruled.unique.map((field) => ({ field, texts: new Set<string>() }));
  let broken = 0;
  for (const record of records) {
    const found = new Set(violationsOf?.(record).map(({ pointer, rule }) => `${rule} at ${withoutPositions(pointer)}`));
    for (const { field, texts } of seen) {
      const value = isJsonObject(record) ? record[field] : undefined;
      const [text] = typeof value === "object" ? [] : keyTexts(record, { field, isList: true });
      if (text === undefined) continue;
      if (texts.has(text)) found.add(`x-unique at ${within("", field)}`);
      texts.add(text);
    }
    for (const { field, ids } of others) {
      const isDangling = keyTexts(record, { field, isList: true }).some((text) => !ids.has(text));
      if (isDangling) found.add(`x-references at ${within("", field)}`);
    }
    for (const rule of found) counts.set(rule, (counts.get(rule) ?? 0) + 1);
    if (found.size > 0) broken++;
    yield;
    if (judging.isOver()) return 0;
  }
  return broken;
}

/** The ids that each reference may have; none for a collection that was not looked at as a whole. */
function othersOf({ members, store }: Judging, { references }: CollectionRules) {
  return Object.entries(references).flatMap(([field, { collection }]) => {
    const target = members.find(({ name }) => name === collection);
    const records = target?.kind === "collection" ? target.records : [];
    if (records.length === store.surveyLimit) return [];
    const key = { field: store.idKeyOf(collection), isList: false };
    return [{ field, ids: new Set(records.flatMap(({ value }) => keyTexts(value, key))) }];
  });
}

/** `/tags/3` is one place for all elements. */
function withoutPositions(pointer: string): string {
  return pointer === "" ? "the record" : pointer.replace(/\/\d+(?=\/|$)/g, "/*");
}

function warningOf(name: string, records: number, counts: ReadonlyMap<string, number>): string {
  const all = [...counts].sort(([, a], [, b]) => b - a).map(([rule, count]) => `${rule}: ${count}`);
  const named = all.length > MAX_NAMED ? [...all.slice(0, MAX_NAMED), `and ${all.length - MAX_NAMED} more rules`] : all;
  const subject = records === 1 ? "1 record breaks" : `${records} records break`;
  return `${name}: ${subject} the rules (${named.join(", ")}). The data is served as it is.`;
}
