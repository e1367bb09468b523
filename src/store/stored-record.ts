import type { Json } from "../json.ts";
import { isLight } from "../large-json/light.ts";
import { stringifyInPieces } from "../large-json/stringify.ts";
import type { Work } from "../slices.ts";

/** A record as a store holds it. Never changed once made: a write puts another in its place. */
export class StoredRecord {
  readonly value: Json;
  /** The version of the state that wrote it; what its ETag is made of. */
  readonly version: number;
  /** Its place in the order of the collection; kept when it is replaced. */
  readonly slot: number;
  #text: string | undefined;

  /** `text` is its compact JSON, where that is at hand. */
  constructor(value: Json, version: number, slot: number, text?: string) {
    this.value = value;
    this.version = version;
    this.slot = slot;
    this.#text = text;
  }

  /** Makes its text beforehand, with pauses where that takes long. */
  *renderText(): Work<void> {
    this.#text ??= yield* stringifyInPieces(this.value);
  }

  /** Its compact JSON, made on first use and kept: a record is sent more often than it is written. */
  get text(): string {
    this.#text ??= JSON.stringify(this.value);
    return this.#text;
  }
}

/** The first position whose slot is not below the given one, in records sorted by slot. */
export function positionOf(records: readonly StoredRecord[], slot: number): number {
  let low = 0;
  let high = records.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (records[middle]!.slot < slot) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The record with this slot: in its first place as long as nothing before it was removed. */
export function recordAt(records: readonly StoredRecord[], slot: number): StoredRecord | undefined {
  const first = records[slot];
  if (first?.slot === slot) return first;
  const found = records[positionOf(records, slot)];
  return found?.slot === slot ? found : undefined;
}

/** A record before and after a write; undefined where there was or is none. */
interface Rewritten {
  readonly before?: StoredRecord | undefined;
  readonly after?: StoredRecord | undefined;
}

/** Whether the records of a change can be serialised in one turn without holding up other requests. */
export function areLight(edits: readonly Rewritten[]): boolean {
  if (edits.length > 1) return isLight(edits.flatMap(({ before, after }) => [before?.value ?? 0, after?.value ?? 0]));
  const [edit] = edits;
  return isLight(edit?.before?.value ?? 0) && isLight(edit?.after?.value ?? 0);
}

/** Makes the texts that the journal and the listeners of a change need. */
export function* renderTexts(edits: readonly Rewritten[]): Work<void> {
  for (const { before, after } of edits) {
    if (before) yield* before.renderText();
    if (after) yield* after.renderText();
    yield;
  }
}
