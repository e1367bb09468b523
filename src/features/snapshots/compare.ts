import type { JsonObject } from "../../base/json/json.ts";
import type { Id } from "../../store/ids.ts";
import type { Store } from "../../store/store.ts";
import { type ComparedMember, comparedMembers, type DifferenceKind } from "./differences.ts";

/** How many ids of each kind are named. */
const MAX_EXAMPLES = 20;

export interface MemberComparison extends Readonly<Record<DifferenceKind, number>> {
  readonly name: string;
  readonly examples: Readonly<Record<DifferenceKind, readonly Id[]>>;
}

/** Counts the differences between a snapshot and the present data, member by member. */
export async function compareWithNow(saved: JsonObject, store: Store): Promise<MemberComparison[]> {
  const comparisons: MemberComparison[] = [];
  for await (const member of comparedMembers(saved, store)) comparisons.push(await compareMember(member));
  return comparisons;
}

async function compareMember({ name, differences }: ComparedMember): Promise<MemberComparison> {
  const counts = { added: 0, changed: 0, removed: 0 };
  const examples: Record<DifferenceKind, Id[]> = { added: [], changed: [], removed: [] };
  for await (const { kind, id } of differences()) {
    counts[kind]++;
    if (id !== undefined && examples[kind].length < MAX_EXAMPLES) examples[kind].push(id);
  }
  return { name, ...counts, examples };
}
