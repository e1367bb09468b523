import type { ApplyOptions, Change, Edit, OpenReceipt, SingleWrite, TransactionWrite, Write } from "./store.ts";

interface WholeWrite {
  readonly write: SingleWrite;
  readonly options: ApplyOptions;
  /** The members to lock; those of the write unless given. */
  readonly members?: readonly string[];
}

/** Applies a write as a transaction of its own; the change is the same. */
export async function applyAsOne(
  apply: (write: TransactionWrite, options: ApplyOptions) => Change | Promise<Change>,
  { write, options, members = membersOf(write) }: WholeWrite,
): Promise<Change> {
  let edits: readonly Edit[] = [];
  const asOne: TransactionWrite = {
    kind: "transaction",
    members,
    // The dependents of a removal are not known yet.
    ...(write.kind !== "remove" && { size: write.kind === "create" ? write.bodies.length : 1 }),
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
