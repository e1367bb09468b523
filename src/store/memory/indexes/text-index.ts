import type { Eventually } from "../../../base/eventually.ts";
import { atOnce, promptly, SLOW_STEP, type Work } from "../../../base/slices.ts";
import { metered, type WorkAccount } from "../../../base/work-account.ts";
import { positionOf, type StoredRecord } from "../../stored-record.ts";
import { KeptMatches, type Matches } from "./kept-matches.ts";
import { FieldCounts } from "./phrases.ts";
import { MAX_POSITIONS } from "./positions.ts";
import { TextHits } from "./text-hits.ts";
import { type Folded, TextSegment, type WantedParts } from "./text-segment.ts";

/** So many changes are tested one by one; then they become a segment. */
const MAX_LOOSE = 512;
/** When later changes exceed this share, the index is out of date. */
const MAX_CHANGED_SHARE = 0.05;
const MIN_CHANGED = 256;
/** When they exceed it this many times, nobody has searched since. */
const ABANDONED = 4;
/** The most records of the matches that are kept, as a multiple of the records. */
const MAX_KEPT_SHARE = 2;
/** The most changes since a search that are followed at once. */
const MAX_FOLLOWED = 64;
/** The records to test between two possible pauses, unless that is slow. */
const TEST_STEP = 16;
/** The letters of a needle that choose parts of a vocabulary. */
const MIN_CHOOSING = 3;
/** A shorter needle is looked for at once in so many segments. */
const MAX_SEGMENTS_AT_ONCE = 4;

/** A search of a text index. */
export interface TextSearch extends WantedParts {
  /** Tells it from the other searches of the same index. */
  readonly key: string;
  readonly meets: (record: StoredRecord) => boolean;
  /** Whether a test may take long: a pattern. */
  readonly isSlow: boolean;
}

/** A later state of a slot; its record is undefined once removed. */
interface Change {
  readonly slot: number;
  readonly record: StoredRecord | undefined;
  /** Made when it is first searched. */
  folded: Folded | undefined;
}

/**
 * The words of the texts of a collection's records. Records that change are looked up in further, small segments, until
 * there are so many that another index is worth building. The matches of searches that took tests are kept, and follow
 * later changes.
 */
export class TextIndex {
  readonly #base: readonly StoredRecord[];
  readonly #fold: (record: StoredRecord) => Folded;
  /** Of the base; and of later changes, in the order of these. Replaced, not modified, because searches pause. */
  readonly #segments: readonly TextSegment[];
  #later: readonly TextSegment[] = [];
  /** The last place of each slot in later segments. */
  readonly #places = new Map<number, { readonly segment: TextSegment; readonly position: number }>();
  readonly #changes: Change[] = [];
  /** The changes that are in no segment, by slot. */
  readonly #loose = new Map<number, Change>();
  readonly #kept: KeptMatches;

  private constructor(
    base: readonly StoredRecord[],
    segments: readonly TextSegment[],
    fold: (record: StoredRecord) => Folded,
  ) {
    this.#base = base;
    this.#segments = segments;
    this.#fold = fold;
    this.#kept = new KeptMatches(base.length * MAX_KEPT_SHARE);
  }

  /** `records` must not change any more. */
  static *build(records: readonly StoredRecord[], fold: (record: StoredRecord) => Folded): Work<TextIndex> {
    const segments: TextSegment[] = [];
    const counts = new FieldCounts();
    for (let from = 0; from < records.length; from += MAX_POSITIONS) {
      const to = Math.min(from + MAX_POSITIONS, records.length);
      segments.push(yield* TextSegment.build(records, fold, { from, to, counts }));
    }
    return new TextIndex(records, segments, fold);
  }

  /** The number of records that it was built for. */
  get size(): number {
    return this.#base.length;
  }

  /** Whether so much has changed that another index is worth building. */
  get isStale(): boolean {
    return this.#changes.length > this.#maxChanges;
  }

  /** Whether so much has changed without a search that it is not worth its memory. */
  get isAbandoned(): boolean {
    return this.#changes.length > ABANDONED * this.#maxChanges;
  }

  get #maxChanges(): number {
    return Math.max(MIN_CHANGED, this.#base.length * MAX_CHANGED_SHARE);
  }

  insert(record: StoredRecord): void {
    this.#note({ slot: record.slot, record, folded: undefined });
  }

  remove({ slot }: StoredRecord): void {
    this.#note({ slot, record: undefined, folded: undefined });
  }

  #note(change: Change): void {
    const number = this.#changes.push(change) - 1;
    const { slot } = change;
    const position = positionOf(this.#base, slot);
    if (this.#base[position]?.slot === slot) {
      this.#segments[Math.floor(position / MAX_POSITIONS)]?.remove(position % MAX_POSITIONS, number);
    }
    const later = this.#places.get(slot);
    later?.segment.remove(later.position, number);
    this.#loose.set(slot, change);
    if (this.#loose.size > MAX_LOOSE) this.#fasten();
  }

  /** Makes a segment of the changes that are in none. */
  #fasten(): void {
    const records = [...this.#loose.values()].flatMap(({ record }) => record ?? []).sort((a, b) => a.slot - b.slot);
    const segment = atOnce(TextSegment.build(records, this.#fold));
    for (const [position, { slot }] of records.entries()) this.#places.set(slot, { segment, position });
    this.#later = [...this.#later, segment];
    this.#loose.clear();
  }

  /** The matches of a search, if they are kept. */
  known(search: TextSearch): readonly StoredRecord[] | undefined {
    const known = this.#kept.get(search.key);
    if (!known || this.#changes.length - known.changes > MAX_FOLLOWED) return undefined;
    return atOnce(this.#follow(search, known, this.#changes.length));
  }

  /** The records that may match; undefined where looking for them would keep others waiting. */
  hitsAtOnce(search: TextSearch): TextHits | undefined {
    const isShort = search.ways.some((way) => way.every((needle) => needle.length < MIN_CHOOSING));
    return isShort && this.#segments.length > MAX_SEGMENTS_AT_ONCE ? undefined : atOnce(this.#hits(search));
  }

  /** All matches, in the order of the collection, among those records that may match, if they are known. */
  find(
    search: TextSearch,
    hits: TextHits | undefined,
    account: WorkAccount | undefined,
  ): Eventually<readonly StoredRecord[]> {
    return promptly(metered(this.#find(search, hits), account));
  }

  *#find(search: TextSearch, known: TextHits | undefined): Work<readonly StoredRecord[]> {
    const hits = known ?? (yield* this.#hits(search));
    const kept = this.#kept.get(search.key);
    if (kept && kept.changes <= hits.changes) return yield* this.#follow(search, kept, hits.changes);
    const records = yield* this.#test(search, hits);
    this.#kept.keep(search.key, { records, changes: hits.changes });
    return records;
  }

  /** The records that may match at this moment, whatever changes before the end of the search. */
  *#hits(search: TextSearch): Work<TextHits> {
    const changes = this.#changes.length;
    const later = this.#later;
    const hits = new TextHits(changes);
    for (const change of this.#loose.values()) {
      const folded = this.#foldedOf(change);
      if (!change.record || !folded || !mayMatch(folded, search)) continue;
      hits.addLater(change.record, folded.isPlain && search.holds !== undefined);
    }
    for (const segment of this.#segments) {
      hits.add({ segment, ...segment.placesOf(search, changes) });
      yield;
    }
    for (const segment of later) {
      const { positions, areProven } = segment.placesOf(search, changes);
      for (const position of positions) {
        hits.addLater(segment.recordAt(position), areProven && segment.isPlain(position));
      }
      yield;
    }
    return hits;
  }

  *#test({ meets, isSlow }: TextSearch, hits: TextHits): Work<readonly StoredRecord[]> {
    const candidates = hits.slice(0, hits.size);
    const step = isSlow ? SLOW_STEP : TEST_STEP;
    const records: StoredRecord[] = [];
    for (const [at, record] of candidates.entries()) {
      if (hits.isMatch(record) || meets(record)) records.push(record);
      if (at % step === 0) yield;
    }
    return records;
  }

  /** Brings matches up to date with so many changes, and keeps them. */
  *#follow(search: TextSearch, matches: Matches, changes: number): Work<readonly StoredRecord[]> {
    if (matches.changes === changes) {
      this.#kept.keep(search.key, matches);
      return matches.records;
    }
    const records: StoredRecord[] = [];
    let next = 0;
    for (const change of lastOfEachSlot(this.#changes.slice(matches.changes, changes))) {
      const { slot, record } = change;
      const position = positionOf(matches.records, slot);
      while (next < position) records.push(matches.records[next++]!);
      if (matches.records[next]?.slot === slot) next++;
      const folded = this.#foldedOf(change);
      if (record && folded && mayMatch(folded, search) && search.meets(record)) records.push(record);
      yield;
    }
    while (next < matches.records.length) records.push(matches.records[next++]!);
    this.#kept.keep(search.key, { records, changes });
    return records;
  }

  #foldedOf(change: Change): Folded | undefined {
    if (change.record) change.folded ??= this.#fold(change.record);
    return change.folded;
  }
}

/** Whether a record may match; if it is plain and a test of texts is known, whether it does. */
function mayMatch({ texts, isPlain }: Folded, { part, holds }: TextSearch): boolean {
  return part === "" || texts.some((text) => text.includes(part) && (!isPlain || !holds || holds(text)));
}

function lastOfEachSlot(changes: readonly Change[]): readonly Change[] {
  const last = new Map(changes.map((change) => [change.slot, change]));
  return [...last.values()].sort((a, b) => a.slot - b.slot);
}
