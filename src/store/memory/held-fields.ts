import { isJsonObject } from "../../json.ts";
import type { StoredRecord } from "../stored-record.ts";

/** Fields that are remembered; any others are looked for each time. */
const MAX_FIELDS = 200;

/**
 * Whether records hold a field. For each field asked for one record that holds it is remembered, so that nothing is
 * looked for again until a write takes that record away or brings the first one.
 */
export class HeldFields {
  readonly #witnesses = new Map<string, StoredRecord | undefined>();

  has(field: string, records: readonly StoredRecord[]): boolean {
    if (this.#witnesses.has(field)) return this.#witnesses.get(field) !== undefined;
    const witness = records.find((record) => holds(record, field));
    if (this.#witnesses.size < MAX_FIELDS) this.#witnesses.set(field, witness);
    return witness !== undefined;
  }

  /** Takes note of a write: no `before` for a new record, no `after` for a removed one. */
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
