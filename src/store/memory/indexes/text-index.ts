import { setImmediate as nextTurn } from "node:timers/promises";
import type { StoredRecord } from "../../stored-record.ts";
import { positionOf } from "./equality-index.ts";

/** Letters of a trigram: ASCII in lower case, and one place for every other character. */
const ALPHABET = 128;
const OTHER = ALPHABET - 1;
const TRIGRAMS = ALPHABET ** 3;
/** How long building may hold the event loop before others get their turn. */
const SLICE_MS = 5;
/** Changed records are looked at one by one; when they are more than this share, the index is built anew. */
const MAX_CHANGED_SHARE = 0.05;
const MIN_CHANGED = 1000;
/** How many of a text's trigrams a candidate must have. */
const INTERSECTED = 3;

/**
 * For each three letters in a row, the records that have them: a text of three letters or more is looked for in the records
 * of its rarest trigram only. Built in the background over the records of one moment; whatever changes afterwards is kept
 * apart until it is worth building anew. What it gives are candidates: some of them may not match.
 */
export class TextIndex {
  readonly #textsOf: (record: StoredRecord) => readonly string[];
  #base: readonly StoredRecord[] = [];
  /** The postings of trigram t are those from starts[t] up to starts[t + 1]. */
  #starts: Uint32Array | undefined;
  #postings = new Uint32Array(0);
  /** What happened since: the record that a slot holds now, undefined where it was removed. */
  #changed = new Map<number, StoredRecord | undefined>();
  /** While the next index is being built: what changed since it was begun. */
  #changedSinceBuild: Map<number, StoredRecord | undefined> | undefined;

  constructor(textsOf: (record: StoredRecord) => readonly string[]) {
    this.#textsOf = textsOf;
  }

  get isReady(): boolean {
    return this.#starts !== undefined;
  }

  /** Bytes that the index holds beyond the records themselves. */
  get bytes(): number {
    return (this.#starts?.byteLength ?? 0) + this.#postings.byteLength;
  }

  insert(record: StoredRecord): void {
    this.#note(record.slot, record);
  }

  remove(record: StoredRecord): void {
    this.#note(record.slot, undefined);
  }

  #note(slot: number, record: StoredRecord | undefined): void {
    this.#changed.set(slot, record);
    this.#changedSinceBuild?.set(slot, record);
  }

  /** Starts building when there is no index yet, or too much has changed since. `lend` gives the records of this moment. */
  refresh(lend: () => readonly StoredRecord[]): void {
    const isStale = this.#changed.size > Math.max(MIN_CHANGED, this.#base.length * MAX_CHANGED_SHARE);
    if (this.#changedSinceBuild || (this.isReady && !isStale)) return;
    this.#changedSinceBuild = new Map();
    void this.#build(lend());
  }

  /** How many records must be looked at, at most, to find this text; Infinity when the index cannot help. */
  estimate(text: string): number {
    const [rarest] = this.#trigramsOf(text);
    return rarest === undefined ? Number.POSITIVE_INFINITY : this.#countOf(rarest) + this.#changed.size;
  }

  /** Every record that may contain the text, in the order of the collection. */
  candidates(text: string): StoredRecord[] {
    const found: StoredRecord[] = [];
    for (const position of this.#positionsOf(this.#trigramsOf(text))) {
      const record = this.#base[position]!;
      if (this.#changed.size === 0 || !this.#changed.has(record.slot)) found.push(record);
    }
    for (const record of this.#changed.values()) {
      if (record) found.splice(positionOf(found, record.slot), 0, record);
    }
    return found;
  }

  /** The positions that have all of the rarest few trigrams; more of them would cost more than they sort out. */
  #positionsOf(trigrams: readonly number[]): Uint32Array {
    const starts = this.#starts as Uint32Array;
    const [first, ...more] = trigrams
      .slice(0, INTERSECTED)
      .map((trigram) => this.#postings.subarray(starts[trigram]!, starts[trigram + 1]!));
    return more.reduce(intersect, first ?? new Uint32Array(0));
  }

  /** The different trigrams of a text, rarest first. */
  #trigramsOf(text: string): number[] {
    if (!this.#starts) return [];
    const trigrams = new Set<number>();
    forEachTrigram(text, (trigram) => trigrams.add(trigram));
    return [...trigrams].sort((a, b) => this.#countOf(a) - this.#countOf(b));
  }

  #countOf(trigram: number): number {
    const starts = this.#starts as Uint32Array;
    return starts[trigram + 1]! - starts[trigram]!;
  }

  async #build(records: readonly StoredRecord[]): Promise<void> {
    const starts = new Uint32Array(TRIGRAMS + 1);
    const seenBy = new Uint32Array(TRIGRAMS);
    await this.#forEachRecord(records, (record, position) => {
      this.#forEachNew(record, position + 1, seenBy, (trigram) => starts[trigram + 1]!++);
    });
    for (let trigram = 0; trigram < TRIGRAMS; trigram++) starts[trigram + 1]! += starts[trigram]!;
    const postings = new Uint32Array(starts[TRIGRAMS]!);
    const next = starts.slice(0, TRIGRAMS);
    seenBy.fill(0);
    await this.#forEachRecord(records, (record, position) => {
      this.#forEachNew(record, position + 1, seenBy, (trigram) => {
        postings[next[trigram]!++] = position;
      });
    });
    this.#base = records;
    this.#starts = starts;
    this.#postings = postings;
    this.#changed = this.#changedSinceBuild ?? new Map();
    this.#changedSinceBuild = undefined;
  }

  async #forEachRecord(records: readonly StoredRecord[], visit: (record: StoredRecord, position: number) => void) {
    let sliceEnd = performance.now() + SLICE_MS;
    for (let position = 0; position < records.length; position++) {
      visit(records[position]!, position);
      if (position % 64 !== 0 || performance.now() < sliceEnd) continue;
      await nextTurn();
      sliceEnd = performance.now() + SLICE_MS;
    }
  }

  /** Each trigram of a record once, however often it occurs. */
  #forEachNew(record: StoredRecord, mark: number, seenBy: Uint32Array, visit: (trigram: number) => void): void {
    for (const text of this.#textsOf(record)) {
      forEachTrigram(text, (trigram) => {
        if (seenBy[trigram] === mark) return;
        seenBy[trigram] = mark;
        visit(trigram);
      });
    }
  }
}

/** Both lists rise, so one walk over both will do. */
function intersect(a: Uint32Array, b: Uint32Array): Uint32Array {
  const both = new Uint32Array(Math.min(a.length, b.length));
  let length = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const difference = a[i]! - b[j]!;
    if (difference === 0) both[length++] = a[i]!;
    if (difference <= 0) i++;
    if (difference >= 0) j++;
  }
  return both.subarray(0, length);
}

function forEachTrigram(text: string, visit: (trigram: number) => void): void {
  if (text.length < 3) return;
  let trigram = letter(text.charCodeAt(0)) * ALPHABET + letter(text.charCodeAt(1));
  for (let at = 2; at < text.length; at++) {
    trigram = (trigram * ALPHABET + letter(text.charCodeAt(at))) % TRIGRAMS;
    visit(trigram);
  }
}

/** The two letters outside ASCII that count as ASCII ones when case does not: the long s and the Kelvin sign. */
function letter(code: number): number {
  if (code >= 65 && code <= 90) return code + 32;
  if (code < OTHER) return code;
  if (code === 0x17f) return 0x73;
  return code === 0x212a ? 0x6b : OTHER;
}
