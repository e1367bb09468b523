import type { RecordRules } from "../../record-rules.ts";
import type { ApplyOptions, Change, Edit, OpenReceipt, TransactionWrite, Write } from "../../store.ts";

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
  let edits: readonly Edit[] = [];
  const asOne: TransactionWrite = {
    kind: "transaction",
    members: rules.withRelated(members),
    ids: "id" in write ? new Map([[write.collection, [write.id]]]) : new Map(),
    *run(data) {
      edits = yield* data.apply(write);
    },
  };
  // The edits of a transaction have an order of their own.
  const planned = (change: Change): Change => ({ ...change, edits });
  const { receipt } = options;
  const open: OpenReceipt | undefined = receipt && {
    ...receipt,
    respond: (change) => receipt.respond(planned(change)),
  };
  return planned(await apply(asOne, { ...options, receipt: open }));
}

/** The members that a write changes. */
export function membersOf(write: Write): readonly string[] {
  if (write.kind === "transaction") return write.members;
  if (!("collection" in write)) return [write.name];
  if (write.kind !== "remove") return [write.collection];
  return [write.collection, ...write.dependents.map(({ collection }) => collection)];
}
