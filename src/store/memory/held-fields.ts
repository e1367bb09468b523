import { isJsonObject } from "../../base/json/json.ts";
import type { StoredRecord } from "../stored-record.ts";

/** The most fields to remember; others are searched each time. */
const MAX_FIELDS = 200;

/**
 * Tells whether any record has a field. Remembers one record with each requested field, so that no search is repeated
 * until a write removes that record or adds the first one.
 */
export class HeldFields {
  readonly #witnesses = new Map<string, StoredRecord | undefined>();

  has(field: string, records: readonly StoredRecord[]): boolean {
    if (this.#witnesses.has(field)) return this.#witnesses.get(field) !== undefined;
    const witness = records.find((record) => holds(record, field));
    if (this.#witnesses.size < MAX_FIELDS) this.#witnesses.set(field, witness);
    return witness !== undefined;
  }

  /** Notes a write; a new record has no `before`, a removed one no `after`. */
  written(before: StoredRecord | undefined, after: StoredRecord | undefined): void {
    for (const [field, witness] of this.#witnesses) {
      if (witness !== undefined && witness !== before) continue;
      if (after && holds(after, field)) this.#witnesses.set(field, after);
      else if (witness) this.#witnesses.delete(field);
    }
  }
}

function holds({ value }: StoredRecord, field: string): boolean {
  return isJsonObject(value) && Object.hasOwn(value, field);
}
