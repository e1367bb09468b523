import { type JsonObject, parseJson } from "../../base/json/json.ts";
import { idOf } from "../ids.ts";
import { StoredRecord } from "../stored-record.ts";
import type { Table } from "./table.ts";

/** A row as statements select it. */
export interface BodyRow {
  readonly body: string;
}

/**
 * A row as a record. Nothing counts its versions, so its content does: equal versions are equal rows. Its slot follows from
 * its id, so that it is the same in every read.
 */
export function recordFrom({ idKey }: Pick<Table, "idKey">, { body }: BodyRow): StoredRecord {
  const value = parseJson<JsonObject>(body);
  const id = idOf(value, idKey);
  const isPlace = typeof id === "number" && Number.isSafeInteger(id) && id >= 0 && id < FIRST_NEW_SLOT;
  return new StoredRecord(value, hashOf(body), isPlace ? id : hashOf(String(id ?? body)));
}

/** Slots of records that are not stored yet begin here. */
export const FIRST_NEW_SLOT = 2 ** 52;

/** A number of 52 bits: two hashes by the method of Fowler, Noll and Vo, from different starts. */
function hashOf(text: string): number {
  let low = 0x811c9dc5;
  let high = 0x9dc5811c;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ (unit + at), 0x01000193);
  }
  return (high >>> 12) * 2 ** 32 + (low >>> 0);
}
