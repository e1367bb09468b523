import { applyAsOne, membersOf } from "../apply-as-one.ts";
import type { ApplyOptions, Change, Store, TransactionWrite, Write } from "../store.ts";
import { GuardedTransaction } from "./guarded-transaction.ts";
import { isUnlimited, mayReadBy, type StorePermit } from "./permit.ts";

interface GuardedWrite {
  readonly write: Write;
  readonly options: ApplyOptions;
  readonly permit: StorePermit;
}

/** Applies a write as far as a user may do it: as a transaction, which a refusal ends. A write without rules stays as it is. */
export async function applyGuarded(store: Store, { write, options, permit }: GuardedWrite): Promise<Change> {
  const permits = membersOf(write).map((name) => permit.of(name));
  if (write.kind !== "transaction" && permits.every(isUnlimited)) {
    return store.apply({ ...write, mayRead: mayReadBy(permit) }, options);
  }
  const { user, users } = permit;
  const hasOwner = user !== undefined && permits.some(({ owner }) => owner !== undefined);
  const guard = { permit, userId: hasOwner ? await store.keyFor(users, user) : undefined, names: store };
  const apply = (one: TransactionWrite, given: ApplyOptions) =>
    store.apply({ ...one, run: (data) => one.run(new GuardedTransaction(data, guard)) }, given);
  return write.kind === "transaction" ? apply(write, options) : applyAsOne(apply, { write, options });
}
