import { type Json, stringifyJson } from "../base/json/json.ts";
import { STEP, type Work } from "../base/slices.ts";
import { dataTooLarge } from "./data-too-large.ts";

export const POINTER_BYTES = 8;
/** Of an edit beside its records. */
const EDIT_BYTES = 64;
/** The memory of a record for each character of its JSON: measured with generated data, rounded up. */
const BYTES_PER_LETTER = 4;

/** An immutable record of a store: a write replaces it by another one. */
export class StoredRecord {
  readonly value: Json;
  /** The version of the state that wrote it, used in its ETag. */
  readonly version: number;
  /** Its place in the order of the collection; a replacement has the same. */
  readonly slot: number;
  #text: string | Texts | undefined;

  /** `text` is its compact JSON, if that is known. */
  constructor(value: Json, version: number, slot: number, text?: string) {
    this.value = value;
    this.version = version;
    this.slot = slot;
    this.#text = text;
  }

  get hasText(): boolean {
    return typeof this.#text === "string" || this.#text?.whole !== undefined;
  }

  /** Its compact JSON, cached on first use: a record is sent more often than it is written. */
  get text(): string {
    const texts = this.#text;
    if (typeof texts === "string") return texts;
    if (texts) {
      texts.whole ??= stringifyJson(this.value);
      return texts.whole;
    }
    this.#text = stringifyJson(this.value);
    return this.#text;
  }

  /** Strong ETag: its bytes depend on this one version alone. `mark` tells other forms of it apart. */
  tag({ epoch }: { readonly epoch: string }, mark = ""): string {
    const { version } = this;
    if (version !== latest.version || epoch !== latest.epoch || mark !== latest.mark) {
      latest = { epoch, version, mark, tag: `"${epoch}.${version}${mark}"` };
    }
    return latest.tag;
  }

  /** Its text in another form; that of the last rendering is cached. */
  textIn(rendering: Rendering): string {
    const texts = this.#text;
    if (typeof texts === "object" && texts.rendering === rendering) return texts.rendered;
    const rendered = rendering.render(this.value);
    this.#text = { whole: typeof texts === "object" ? texts.whole : texts, rendering, rendered };
    return rendered;
  }
}

/** Records that were loaded together have the same tag, so that the latest one is often the next one. */
let latest = { epoch: "", version: 0, mark: "", tag: "" };

/** Renders a part of a value. */
export interface Rendering {
  readonly render: (value: Json) => string;
}

/** The compact JSON of a record, and a part of it. */
interface Texts {
  whole: string | undefined;
  readonly rendering: Rendering;
  readonly rendered: string;
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

/** The record with this slot. Its position equals the slot as long as no record before it was removed. */
export function recordAt(records: readonly StoredRecord[], slot: number): StoredRecord | undefined {
  const first = records[slot];
  if (first?.slot === slot) return first;
  const found = records[positionOf(records, slot)];
  return found?.slot === slot ? found : undefined;
}

/** A slot that is not taken: this one, one between it and the next whole number, or else the last. */
export function freeSlot(slot: number, last: number, isTaken: (slot: number) => boolean): number {
  let free = slot;
  while (free < last && isTaken(free)) {
    const next = (free + Math.floor(free) + 1) / 2;
    if (next === free) return last;
    free = next;
  }
  return Math.min(free, last);
}

/** The least place behind a slot; a record that was put back may have one between two whole numbers. */
export function placeBehind(slot: number): number {
  return slot + Math.abs(slot) * Number.EPSILON + Number.MIN_VALUE;
}

/** A record before and after a write; undefined before its creation and after its removal. */
interface Rewritten {
  readonly before?: StoredRecord | undefined;
  readonly after?: StoredRecord | undefined;
}

/** Whether a change has so few records that they are serialised in one turn. */
export function areFew(edits: readonly Rewritten[]): boolean {
  return edits.length <= STEP;
}

/** The most characters that a change may add to the data: a body counts once for each record that it changes. */
const MAX_GROWTH = 128 * 2 ** 20;

/** Renders the texts that the journal and the listeners of a change need. */
export function* renderTexts(edits: readonly Rewritten[]): Work<void> {
  let growth = 0;
  for (const { before, after } of edits) {
    void before?.text;
    // A record that was there before, as in an undo, takes up nothing new.
    const isNew = after?.hasText === false;
    void after?.text;
    if (isNew) growth += Math.max(0, after.text.length - (before?.text.length ?? 0));
    if (growth > MAX_GROWTH) throw dataTooLarge("What the change adds", undefined, MAX_GROWTH);
    yield;
  }
}

export interface EditedRecords {
  readonly before: StoredRecord | undefined;
  readonly after: StoredRecord | undefined;
}

/** The record that an edit is about, in its latest state. */
export function editedRecord({ before, after }: EditedRecords): StoredRecord {
  const record = after ?? before;
  if (!record) throw new Error("An edit has a record before or after it.");
  return record;
}

/** About how much memory a record takes. */
export function bytesOfRecord({ text }: StoredRecord): number {
  return POINTER_BYTES + BYTES_PER_LETTER * text.length;
}

/** About how much memory the history of a change takes: that of the replaced records above the version `birth`. */
export function bytesOfEdits(edits: readonly EditedRecords[], birth: number): number {
  let bytes = EDIT_BYTES * edits.length;
  for (const { before } of edits) if (before && before.version > birth) bytes += bytesOfRecord(before);
  return bytes;
}
