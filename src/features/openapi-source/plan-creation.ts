import type { JsonObject } from "../../base/json/json.ts";
import type { Work } from "../../base/slices.ts";
import type { PlanCreation } from "../../http/routes/collection.ts";
import type { Edit, Transaction } from "../../store/store.ts";
import type { StoredRecord } from "../../store/stored-record.ts";

/** Completes a new record by others that are there, in the transaction that creates it, or refuses it. */
export type Settle = (body: JsonObject, data: Transaction) => Work<JsonObject>;

/** Creates what belongs to a new record, in the transaction that creates it. */
export interface Belongings {
  readonly members: readonly string[];
  create(record: StoredRecord, data: Transaction): Work<void>;
}

/** Plans to create records one by one, so that each is settled by those before it; undefined where they need no plan. */
export function planCreation(
  collection: string,
  { settle, belongings }: { readonly settle: Settle | undefined; readonly belongings?: Belongings | undefined },
): PlanCreation | undefined {
  if (!settle && !belongings) return undefined;
  return (bodies) => {
    let edits: Edit[] = [];
    return {
      write: {
        kind: "transaction",
        members: [collection, ...(belongings?.members ?? [])],
        size: bodies.length,
        *run(data) {
          edits = [];
          for (const body of bodies) {
            const settled = settle ? yield* settle(body, data) : body;
            const created = yield* data.apply({ kind: "create", collection, bodies: [settled] });
            edits.push(...created);
            for (const { after } of created) if (belongings && after) yield* belongings.create(after, data);
          }
        },
      },
      // The edits of a transaction have an order of their own.
      edits: () => edits,
    };
  };
}
