import { applyAsOne, membersOf } from "../../apply-as-one.ts";
import type { RecordRules } from "../../record-rules.ts";
import type { ApplyOptions, Change, Write } from "../../store.ts";

type Apply = (write: Write, options: ApplyOptions) => Promise<Change>;

interface JudgedWrite {
  readonly write: Write;
  readonly options: ApplyOptions;
  readonly rules: RecordRules;
}

/**
 * Applies a write that rules judge. One that must be compared with other records becomes a transaction, which locks the
 * members that those are in: other processes cannot change them before the write is committed.
 */
export async function applyJudged(apply: Apply, { write, options, rules }: JudgedWrite): Promise<Change> {
  if (write.kind === "transaction") return apply({ ...write, members: rules.withRelated(write.members) }, options);
  const members = membersOf(write);
  if (!members.some((name) => rules.isRelational(name))) return apply(write, options);
  return applyAsOne(apply, { write, options, members: rules.withRelated(members) });
}
