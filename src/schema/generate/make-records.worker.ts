import { StandinError } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json/json.ts";
import type { Store } from "../../store/store.ts";

/** The texts of made-up records would be larger than the rest of a worker. */
export function makeRecords(): never {
  throw new StandinError("OPTION_UNAVAILABLE", "A worker cannot make up records. Give all of their fields.");
}

export function generateBodies(): never {
  return makeRecords();
}

/** A draft has the fields given, and no others. */
export async function draftRecord(_store: Store, _collection: string, fields: JsonObject): Promise<JsonObject> {
  return fields;
}
