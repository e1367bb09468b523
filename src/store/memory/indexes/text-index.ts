import type { Eventually } from "../../../base/eventually.ts";
import { atOnce, promptly, STEP, type Work } from "../../../base/slices.ts";
import { metered, type WorkAccount } from "../../../base/work-account.ts";
import { positionOf, type StoredRecord } from "../../stored-record.ts";
import { type Folded, TextBlocks } from "./text-blocks.ts";
import { Trigrams } from "./trigrams.ts";

/** With fewer blocks, searching all takes no longer than choosing some. */
const MIN_CHOSEN_BLOCKS = 8;
/** The blocks to search, and the records to test one by one, between two possible pauses. */
const BLOCK_STEP = 16;
const TEST_STEP = 4;
/** Later changes are tested one by one; when they exceed this share, the index is out of date. */
const MAX_CHANGED_SHARE = 0.05;
const MIN_CHANGED = 256;
/** When they exceed it this many times, nobody has searched since. */
const ABANDONED = 4;
/** Searches whose matches are kept, and the most matches of all of them, as a multiple of the records. */
const MAX_KEPT_SEARCHES = 100;
const MAX_KEPT_SHARE = 2;
/** The most changes since a search that are followed at once. */
const MAX_FOLLOWED = 64;
/** A text is searched this many times as fast as a record is tested. */
const TEXTS_PER_TEST = 16;

/** A search of a text index. */
export interface TextSearch {
  /** Tells it from the other searches of the same index. */
  readonly key: string;
  /** Texts in lower case, of which every match has all. */
  readonly literals: readonly string[];
  /** One that the folded text of every match contains, without a separator; empty when there is none. */
  readonly part: string;
  /** Tests the folded text of a plain record; undefined when only `meets` can tell. */
  readonly holdsLower: ((text: string) => boolean) | undefined;
  readonly meets: (record: StoredRecord) => boolean;
}

/** The matches of a search, up to date with so many changes. Never modified, because readers hold it. */
interface Matches {
  readonly records: readonly StoredRecord[];
  readonly changes: number;
}

/** A later state of a slot; its record is undefined once removed. */
interface Change {
  readonly slot: number;
  readonly record: StoredRecord | undefined;
  /** Made when it is first searched. */
  folded: Folded | undefined;
}

/**
 * The texts of the records of one moment, to search in, with the matches of recent searches. Later changes are kept beside
 * them: the matches follow them, until there are so many that another index is worth building.
 */
export class TextIndex {
  readonly #base: readonly StoredRecord[];
  readonly #fold: (record: StoredRecord) => Folded;
  readonly #blocks: TextBlocks;
  readonly #trigrams: Trigrams | undefined;
  readonly #changes: Change[] = [];
  /** By key; the one used least recently comes first. */
  readonly #kept = new Map<string, Matches>();
  #keptRecords = 0;

  private constructor(
    base: readonly StoredRecord[],
    fold: (record: StoredRecord) => Folded,
    { blocks, trigrams }: { readonly blocks: TextBlocks; readonly trigrams: Trigrams | undefined },
  ) {
    this.#base = base;
    this.#fold = fold;
    this.#blocks = blocks;
    this.#trigrams = trigrams;
  }

  /** `records` must not change any more. */
  static *build(records: readonly StoredRecord[], fold: (record: StoredRecord) => Folded): Work<TextIndex> {
    const blocks = new TextBlocks(records.length);
    for (let from = 0; from < records.length; from += STEP) {
      appendTexts(records, from, Math.min(from + STEP, records.length), fold, blocks);
      yield;
    }
    const trigrams = blocks.size < MIN_CHOSEN_BLOCKS ? undefined : yield* Trigrams.build(blocks);
    return new TextIndex(records, fold, { blocks, trigrams });
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
    this.#changes.push({ slot: record.slot, record, folded: undefined });
  }

  remove({ slot }: StoredRecord): void {
    this.#changes.push({ slot, record: undefined, folded: undefined });
  }

  /** The matches of a search, if they are kept. */
  known(search: TextSearch): readonly StoredRecord[] | undefined {
    const known = this.#kept.get(search.key);
    if (!known || this.#changes.length - known.changes > MAX_FOLLOWED) return undefined;
    return atOnce(this.#follow(search, known, this.#changes.length));
  }

  /** About as many tests of records as the search would take. */
  estimate({ literals }: TextSearch): number {
    const blocks = this.#trigrams?.blocksWith(literals)?.length ?? this.#blocks.size;
    const share = blocks / Math.max(1, this.#blocks.size);
    return Math.ceil((share * this.#base.length + this.#changes.length) / TEXTS_PER_TEST);
  }

  /** All matches, in the order of the collection. */
  find(search: TextSearch, account: WorkAccount | undefined): Eventually<readonly StoredRecord[]> {
    return promptly(metered(this.#find(search, this.#changes.length), account));
  }

  /** The matches when there were so many changes: there may be more before the search ends. */
  *#find(search: TextSearch, changes: number): Work<readonly StoredRecord[]> {
    const known = this.#kept.get(search.key);
    const start = known && known.changes <= changes ? known : { records: yield* this.#searchBase(search), changes: 0 };
    return yield* this.#follow(search, start, changes);
  }

  *#searchBase(search: TextSearch): Work<StoredRecord[]> {
    const found: StoredRecord[] = [];
    const unproven = new Set<StoredRecord>();
    const blocks = this.#trigrams?.blocksWith(search.literals);
    const count = blocks?.length ?? this.#blocks.size;
    for (let at = 0; at < count; at++) {
      this.#searchBlock(blocks ? blocks[at]! : at, search, found, unproven);
      if (at % BLOCK_STEP === 0) yield;
    }
    if (unproven.size === 0) return found;
    let tested = 0;
    for (const record of unproven) {
      if (search.meets(record)) unproven.delete(record);
      if (++tested % TEST_STEP === 0) yield;
    }
    return found.filter((record) => !unproven.has(record));
  }

  /** Adds the records of a block that match or may match; the latter to `unproven`, too. */
  #searchBlock(
    block: number,
    { part, holdsLower }: TextSearch,
    found: StoredRecord[],
    unproven: Set<StoredRecord>,
  ): void {
    const texts = this.#blocks;
    texts.forEachWith(part, block, (position) => {
      const isProvable = holdsLower !== undefined && texts.isPlain(position);
      if (isProvable && !holdsLower(texts.textAt(block, position))) return;
      const record = this.#base[position]!;
      found.push(record);
      if (!isProvable) unproven.add(record);
    });
  }

  /** Brings matches up to date with so many changes, and keeps them. */
  *#follow(search: TextSearch, matches: Matches, changes: number): Work<readonly StoredRecord[]> {
    if (matches.changes === changes) {
      this.#keep(search.key, matches);
      return matches.records;
    }
    const records: StoredRecord[] = [];
    let next = 0;
    for (const change of lastOfEachSlot(this.#changes.slice(matches.changes, changes))) {
      const position = positionOf(matches.records, change.slot);
      while (next < position) records.push(matches.records[next++]!);
      if (matches.records[next]?.slot === change.slot) next++;
      if (change.record && this.#isMatch(search, change.record, change)) records.push(change.record);
      yield;
    }
    while (next < matches.records.length) records.push(matches.records[next++]!);
    this.#keep(search.key, { records, changes });
    return records;
  }

  #isMatch({ part, holdsLower, meets }: TextSearch, record: StoredRecord, change: Change): boolean {
    change.folded ??= this.#fold(record);
    const { text, isPlain } = change.folded;
    if (!text.includes(part)) return false;
    return holdsLower && isPlain ? holdsLower(text) : meets(record);
  }

  #keep(key: string, matches: Matches): void {
    this.#drop(key);
    this.#kept.set(key, matches);
    this.#keptRecords += matches.records.length;
    const most = this.#base.length * MAX_KEPT_SHARE;
    for (const oldest of this.#kept.keys()) {
      if (oldest === key || (this.#kept.size <= MAX_KEPT_SEARCHES && this.#keptRecords <= most)) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#keptRecords -= this.#kept.get(key)?.records.length ?? 0;
    this.#kept.delete(key);
  }
}

/** A loop of its own: inside a generator, the engine would compile it late. Inner loop: positional parameters. */
function appendTexts(
  records: readonly StoredRecord[],
  from: number,
  to: number,
  fold: (record: StoredRecord) => Folded,
  blocks: TextBlocks,
): void {
  for (let at = from; at < to; at++) blocks.append(fold(records[at]!));
}

function lastOfEachSlot(changes: readonly Change[]): readonly Change[] {
  const last = new Map(changes.map((change) => [change.slot, change]));
  return [...last.values()].sort((a, b) => a.slot - b.slot);
}
