import type { StoredRecord } from "../../stored-record.ts";
import { mergedBySlot } from "../rewrite-records.ts";
import type { Places, TextSegment } from "./text-segment.ts";

/** Some records of a segment. */
interface Part extends Places {
  readonly segment: TextSegment;
}

/** The records that match a search or may do so, without a list of them: most pages need a few and the total. */
export class TextHits {
  /** The number of changes that they are up to date with. */
  readonly changes: number;
  /** Whether those that are plain and were not added as unproven are matches. */
  #areProven = true;
  /** In the order of the collection. */
  readonly #parts: Part[] = [];
  /** Those that changed after the index was built, in any order. */
  readonly #later: StoredRecord[] = [];
  /** Those that must be tested all the same. */
  readonly #unproven = new Set<StoredRecord>();
  #size = 0;

  constructor(changes: number) {
    this.changes = changes;
  }

  get size(): number {
    return this.#size;
  }

  /** Whether all are matches. */
  get areMatches(): boolean {
    return this.#size === 0 || (this.#areProven && this.#unproven.size === 0);
  }

  isMatch(record: StoredRecord): boolean {
    return this.#areProven && !this.#unproven.has(record);
  }

  /** Adds records that stand behind those of the parts before. */
  add(part: Part): void {
    const { segment, positions, areProven } = part;
    this.#parts.push(part);
    this.#areProven &&= areProven;
    this.#size += positions.length;
    if (!this.#areProven || segment.arePlain) return;
    for (const position of positions) {
      if (!segment.isPlain(position)) this.#unproven.add(segment.recordAt(position));
    }
  }

  addLater(record: StoredRecord, isProven: boolean): void {
    this.#later.push(record);
    this.#size++;
    if (!isProven) this.#unproven.add(record);
  }

  /** Those of a range, in the order of the collection. */
  slice(from: number, to: number): readonly StoredRecord[] {
    const later = this.#later.sort((a, b) => a.slot - b.slot);
    if (later.length > 0) return mergedBySlot(this.#ofParts(0, this.#size), later).slice(from, to);
    return this.#ofParts(from, to);
  }

  #ofParts(from: number, to: number): StoredRecord[] {
    const found: StoredRecord[] = [];
    let start = 0;
    for (const { segment, positions } of this.#parts) {
      const end = Math.min(positions.length, to - start);
      for (const position of positions.subarray(Math.max(0, from - start), Math.max(0, end)))
        found.push(segment.recordAt(position));
      start += positions.length;
    }
    return found;
  }
}
