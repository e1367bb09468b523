import type { JsonObject } from "../../../base/json/json.ts";
import type { Work } from "../../../base/slices.ts";
import type { Call } from "../../../http/call.ts";
import type { DataService } from "../../../http/contract.ts";
import type { Reply } from "../../../http/response/reply.ts";
import { asApplied, carryOut, resolutionOf, writePreferences } from "../../../http/routes/carry-out.ts";
import { complete, createRecords } from "../../../http/routes/collection.ts";
import type { RecordShape } from "../../../http/routes/record-shape.ts";
import type { Transaction, TransactionWrite } from "../../../store/store.ts";
import type { StoredRecord } from "../../../store/stored-record.ts";

/** Completes a new record by others that are there, in the transaction that creates it, or refuses it. */
export type Settle = (body: JsonObject, data: Transaction) => Work<JsonObject>;

/** Creates what belongs to a new record, in the transaction that creates it. */
export interface Belongings {
  readonly members: readonly string[];
  create(record: StoredRecord, data: Transaction): Work<void>;
}

export interface NewRecordShape extends RecordShape {
  /** Responds with several new records. */
  respondAll(records: readonly StoredRecord[], call: Call): Reply;
}

interface Planned {
  readonly collection: string;
  readonly given: JsonObject | undefined;
  readonly shape: NewRecordShape;
  readonly settle: Settle | undefined;
  readonly belongings?: Belongings | undefined;
}

/** Creates a record or all of an array, one by one in a transaction, so that each is settled by those before it. */
export async function createPlanned(
  call: Call,
  service: DataService,
  { collection, given, shape, settle, belongings }: Planned,
): Promise<Reply> {
  const preferences = writePreferences(call);
  if (preferences && resolutionOf(preferences)) return createRecords(call, service, { collection, given, shape });
  const body = await call.body();
  const bodies = (Array.isArray(body) ? body : [body]).map((one) => complete(one, given));
  // The edits of a transaction have an order of their own.
  let records: StoredRecord[] = [];
  const write: TransactionWrite = {
    kind: "transaction",
    members: [collection, ...(belongings?.members ?? [])],
    size: bodies.length,
    *run(data) {
      records = [];
      for (const one of bodies) {
        const settled = settle ? yield* settle(one, data) : one;
        for (const { after } of yield* data.apply({ kind: "create", collection, bodies: [settled] })) {
          if (!after) continue;
          records.push(after);
          if (belongings) yield* belongings.create(after, data);
        }
      }
    },
  };
  return carryOut(call, service, write, () => {
    const [record] = Array.isArray(body) ? [] : records;
    if (!record) return asApplied(shape.respondAll(records, call), preferences);
    const plain = { status: 201, json: record.text, etag: record.tag(service.store, shape.mark) };
    return asApplied(shape.respond(plain, record, call), preferences);
  });
}
