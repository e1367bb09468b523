import { positionOf, type StoredRecord } from "../../stored-record.ts";

/** A sorted list of records in parts, so that a record can come or go without moving all behind it. */
export class RecordParts {
  readonly #parts: StoredRecord[][] = [];
  /** The slot from which on each part has all records. */
  readonly #starts: number[] = [];
  #last = Number.NEGATIVE_INFINITY;

  /** The lowest slot of the next part. */
  get nextSlot(): number {
    // The next larger number: slots may be fractions.
    return this.#last + Number.EPSILON * Math.max(1, Math.abs(this.#last));
  }

  /** Adds records behind all others. */
  add(records: StoredRecord[]): void {
    this.#starts.push(this.nextSlot);
    this.#parts.push(records);
    this.#last = records.at(-1)?.slot ?? this.#last;
  }

  /** Makes this the record of a slot; undefined leaves none. */
  put(slot: number, record: StoredRecord | undefined): void {
    const part = this.#parts[this.#partOf(slot)];
    if (!part) return;
    const position = positionOf(part, slot);
    const count = part[position]?.slot === slot ? 1 : 0;
    if (record && count === 1) part[position] = record;
    else if (record) part.splice(position, 0, record);
    else part.splice(position, count);
  }

  all(): StoredRecord[] {
    return ([] as StoredRecord[]).concat(...this.#parts);
  }

  #partOf(slot: number): number {
    let low = 0;
    for (let high = this.#starts.length - 1; low < high; ) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#starts[middle] ?? slot) <= slot) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
