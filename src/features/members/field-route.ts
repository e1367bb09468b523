import { StandinError } from "../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import { STEP, type Work } from "../../base/slices.ts";
import type { Call } from "../../http/call.ts";
import type { Service } from "../../http/contract.ts";
import { jsonReply, type Reply } from "../../http/response/reply.ts";
import { asApplied, asObject, carryOut, writePreferences } from "../../http/routes/carry-out.ts";
import { unknownFieldMessage } from "../../http/routes/mistakes.ts";
import { meantName } from "../../query/meant-name.ts";
import type { Transaction, TransactionWrite } from "../../store/store.ts";
import type { StoredRecord } from "../../store/stored-record.ts";
import { memberOf } from "./members.ts";

interface FieldParts {
  readonly collection: string;
  readonly field: string;
}

/** `PATCH /__collections/products/fields/name`: renames a field of all records, at its place among the others. */
export async function renameField(call: Call, service: Service, parts: FieldParts): Promise<Reply> {
  const { name: to } = asObject(await call.body());
  if (typeof to !== "string" || to === "" || to === "__proto__" || to === parts.field) {
    throw invalid(`"name" must be another name for the field, not ${JSON.stringify(to) ?? "left out"}.`);
  }
  return rewriteField(call, service, { ...parts, to });
}

/** `DELETE /__collections/products/fields/name`: removes a field of all records. */
export async function removeField(call: Call, service: Service, parts: FieldParts): Promise<Reply> {
  await call.body();
  return rewriteField(call, service, { ...parts, to: undefined });
}

interface FieldEdit extends FieldParts {
  /** Undefined to remove the field. */
  readonly to: string | undefined;
}

/** One change, whatever the number of records: all of them are changed, or none. */
async function rewriteField(call: Call, service: Service, edit: FieldEdit): Promise<Reply> {
  const { store } = service;
  const { collection, field, to } = edit;
  const { kind } = await memberOf(store, collection);
  if (kind !== "collection")
    throw invalid(`${JSON.stringify(collection)} is a singleton: change it with PUT or PATCH.`);
  const idKey = store.idKeyOf(collection);
  if (field === idKey || to === idKey) throw invalid(`"${idKey}" is the id of the records: it keeps its name.`);
  let count = 0;
  const write: TransactionWrite = {
    kind: "transaction",
    members: [collection],
    *run(data) {
      const found = yield* data.matching(collection, { where: [], search: "", account: call.account });
      count = yield* rewriteAll(data, edit, found);
    },
  };
  const preferences = writePreferences(call);
  return carryOut(call, service, write, () => asApplied(jsonReply(JSON.stringify({ count })), preferences));
}

function* rewriteAll(data: Transaction, edit: FieldEdit, records: readonly StoredRecord[]): Work<number> {
  const { collection, field, to } = edit;
  let count = 0;
  for (const [at, before] of records.entries()) {
    if (at % STEP === STEP - 1) yield;
    const { value } = before;
    if (!isJsonObject(value) || !Object.hasOwn(value, field)) continue;
    if (to !== undefined && Object.hasOwn(value, to)) {
      throw new StandinError(
        "FIELD_EXISTS",
        `A record of ${collection} has a field "${to}" already. Nothing was changed.`,
      );
    }
    yield* data.apply({ kind: "rewrite", collection, before, transform: (current) => withField(current, field, to) });
    count++;
  }
  const [first] = records;
  if (count === 0) {
    const names = isJsonObject(first?.value) ? Object.keys(first.value) : [];
    throw new StandinError(
      "QUERY_FIELD_UNKNOWN",
      unknownFieldMessage(`No record of ${collection} has a field "${field}".`, names, meantName(field, names)),
    );
  }
  return count;
}

function withField(current: Json, field: string, to: string | undefined): Json {
  if (!isJsonObject(current)) return current;
  const kept = Object.entries(current).flatMap(([name, value]): [string, Json][] => {
    if (name !== field) return [[name, value]];
    return to === undefined ? [] : [[to, value]];
  });
  return Object.fromEntries(kept) as JsonObject;
}

function invalid(message: string): StandinError {
  return new StandinError("FIELD_INVALID", message);
}
