import { isJsonObject } from "../../../base/json/json.ts";
import type { BoundCollection } from "../../../openapi/bind/binding.ts";
import { nullness } from "../../../query/operators/null.ts";
import { parsePath } from "../../../query/path.ts";
import { slice } from "../../../store/slice.ts";
import type { Store, TransactionWrite } from "../../../store/store.ts";

/** Gives ids of our own to records that lack them, such as those of a version that knew them by their keys alone. */
export async function addOwnKeys(store: Store, collections: readonly BoundCollection[]): Promise<void> {
  for (const { name, ownKey } of collections) {
    if (ownKey === undefined || store.kindOf(name) !== "collection" || store.idKeyOf(name) !== ownKey) continue;
    const where = [nullness(parsePath(ownKey), ["true"], ownKey)];
    const { records } = await store.find(name, { ...slice(0, 1), where });
    if (records.length === 0) continue;
    const write: TransactionWrite = {
      kind: "transaction",
      members: [name],
      *run(data) {
        for (const before of yield* data.matching(name, { where, search: "" })) {
          // Ids never change, so the record is made again; without an id, nothing could name it before.
          yield* data.apply({ kind: "rewrite", collection: name, before });
          if (isJsonObject(before.value))
            yield* data.apply({ kind: "create", collection: name, bodies: [before.value] });
        }
      },
    };
    await store.apply(write);
  }
}
