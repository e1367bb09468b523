import { getHeapStatistics } from "../../../base/platform/runtime.ts";
import { atOnce, inSlices, inSlicesBehind, MAX_AT_ONCE, type Work } from "../../../base/slices.ts";
import { hasJoinedText, judgedValues } from "../../../query/condition.ts";
import { type Path, valueAt } from "../../../query/path.ts";
import type { StoredRecord } from "../../stored-record.ts";
import { EqualityIndex } from "./equality-index.ts";
import { foldAll, foldAt } from "./fold-texts.ts";
import { SortedIndex } from "./sorted-index.ts";
import { TextIndex } from "./text-index.ts";
import type { Folded } from "./text-segment.ts";

/** With fewer records, a scan is as fast as an index. */
export const MIN_INDEXED_RECORDS = 20;
/** The texts of this many records are read at once; a scan takes less time than building an index of more. */
const MAX_TEXTS_AT_ONCE = 2500;
/** The most indexes of a set; beyond it, the least recently used one is dropped. */
const MAX_INDEXES = 32;
/** An index that was not used for this long is dropped. */
const DISUSED_MS = 10 * 60 * 1000;
/** The number of uses between two checks for disused indexes and memory. */
const SWEEP_EVERY = 1000;
const HEAP_LIMIT_SHARE = 0.85;
/** The most changes that an index has not followed: its next reader makes up for them. */
const MAX_MISSED = 256;

interface IndexedRecords {
  readonly size: number;
  readonly records: readonly StoredRecord[];
  /** The records, for a reader that takes longer than this turn. */
  lend(): readonly StoredRecord[];
  /** Finds the records by the values at a path, if these are their ids. */
  idLookup(path: Path): EqualityIndex | undefined;
}

interface RecordIndex {
  insert(record: StoredRecord): void;
  remove(record: StoredRecord): void;
  /** Whether another one should be built in its place. */
  readonly isStale?: boolean;
  /** Whether it may be dropped, because nobody has asked it for many changes. */
  readonly isAbandoned?: boolean;
}

interface IndexEntry<T extends RecordIndex = RecordIndex> {
  /** Undefined while the first one is being built. */
  index: T | undefined;
  /** The one that is being built, if any. */
  building: PendingIndex | undefined;
  /** The changes since its last reader, or since building began. */
  missed: { readonly kind: "insert" | "remove"; readonly record: StoredRecord }[];
  /** How many of them the index has followed: those that another one, which is being built, still misses. */
  followed: number;
  usedAt: number;
}

/** A path may have any name, even the empty one, so the index for `q` is a kind of its own. */
const KINDS = ["equality", "order", "range", "text", "search"] as const;
type Kind = (typeof KINDS)[number];

/** An index that is being built. Await `done` and start over: by then, the state may be another one. */
export class PendingIndex {
  readonly done: Promise<void>;

  constructor(done: Promise<void>) {
    this.done = done;
  }
}

/** Stands for an index that does not exist, where a reader would not wait for it. */
const ABSENT = new PendingIndex(Promise.resolve());

/** Gives access to the indexes of a collection. */
export type Indexes = Pick<IndexSet, "equality" | "range" | "text" | "search" | "owner">;

/**
 * The indexes of one collection: built on first use, updated by every change, dropped when not used. Those of a large
 * collection are built in slices, beside other requests.
 */
export class IndexSet {
  /** The collection that it belongs to. */
  owner: IndexedRecords;
  readonly #entries: Readonly<Record<Kind, Map<string, IndexEntry>>> = {
    equality: new Map(),
    order: new Map(),
    range: new Map(),
    text: new Map(),
    search: new Map(),
  };
  #uses = 0;

  constructor(owner: IndexedRecords) {
    this.owner = owner;
  }

  /** Descriptions of the current indexes. */
  get names(): string[] {
    return KINDS.flatMap((kind) =>
      [...this.#entries[kind].keys()].map((path) => (kind === "search" ? "text of all fields" : `${kind} of ${path}`)),
    );
  }

  /** Records by the values at a path. */
  equality(path: Path): EqualityIndex | PendingIndex {
    const build = (records: readonly StoredRecord[]) => EqualityIndex.build(path, records);
    return this.owner.idLookup(path) ?? this.#get("equality", path.text, build);
  }

  /** Records sorted by a path. */
  order(path: Path): SortedIndex | PendingIndex {
    return this.#get("order", path.text, (records) =>
      SortedIndex.build(records, (record) => [valueAt(record.value, path)]),
    );
  }

  /** Records sorted by every value at a path that a range condition tests. */
  range(path: Path): SortedIndex | PendingIndex {
    return this.#get("range", path.text, (records) =>
      SortedIndex.build(
        records,
        (record) => judgedValues(record.value, path),
        (record) => hasJoinedText(record.value, path),
      ),
    );
  }

  /** The texts at a path; undefined for the first to ask for a large one: a scan takes less time than building it. */
  text(path: Path): TextIndex | PendingIndex | undefined {
    return this.#text("text", path.text, (record) => foldAt(record.value, path));
  }

  /** All texts that `q` searches; undefined as above. */
  search(): TextIndex | PendingIndex | undefined {
    return this.#text("search", "", (record) => foldAll(record.value));
  }

  /** Those that are built, for a reader that is to start no work. */
  get present(): Indexes {
    return {
      owner: this.owner,
      equality: (path) =>
        this.owner.idLookup(path) ?? (this.#used("equality", path.text)?.index as EqualityIndex | undefined) ?? ABSENT,
      range: (path) => (this.#used("range", path.text)?.index as SortedIndex | undefined) ?? ABSENT,
      text: (path) => (this.#entries.text.has(path.text) ? this.text(path) : undefined),
      search: () => (this.#entries.search.has("") ? this.search() : undefined),
    };
  }

  /** Notes that a record was inserted, replaced or removed. */
  changed(before: StoredRecord | undefined, after: StoredRecord | undefined): void {
    if (before) this.#change("remove", before);
    if (after) this.#change("insert", after);
  }

  /** Drops all indexes. */
  clear(): void {
    for (const kind of KINDS) this.#entries[kind].clear();
  }

  #get<T extends RecordIndex>(
    kind: Kind,
    path: string,
    build: (records: readonly StoredRecord[]) => Work<T>,
  ): T | PendingIndex {
    let entry = this.#used(kind, path) as IndexEntry<T> | undefined;
    if (!entry) {
      entry = { index: undefined, building: undefined, missed: [], followed: 0, usedAt: Date.now() };
      this.#add(kind, path, entry);
      this.#build(entry, kind, build);
    } else if (entry.index?.isStale && !entry.building) {
      this.#build(entry, kind, build);
    }
    return entry.index ?? (entry.building as PendingIndex);
  }

  #build<T extends RecordIndex>(
    entry: IndexEntry<T>,
    kind: Kind,
    build: (records: readonly StoredRecord[]) => Work<T>,
  ): void {
    const { owner } = this;
    const isOfTexts = kind === "text" || kind === "search";
    if (owner.size <= (isOfTexts ? MAX_TEXTS_AT_ONCE : MAX_AT_ONCE)) {
      entry.index = atOnce(build(owner.records));
      return;
    }
    // The first request for texts scans meanwhile, and should not take twice as long for that.
    const built = isOfTexts ? inSlicesBehind(build(owner.lend())) : inSlices(build(owner.lend()));
    entry.building = new PendingIndex(built.then((index) => finish(entry, index)));
  }

  #text(
    kind: "text" | "search",
    path: string,
    fold: (record: StoredRecord) => Folded,
  ): TextIndex | PendingIndex | undefined {
    const isFirst = !this.#entries[kind].has(path);
    // It reads the records later, too.
    const index = this.#get(kind, path, () => TextIndex.build(this.owner.lend(), fold));
    return isFirst && index instanceof PendingIndex ? undefined : index;
  }

  #used(kind: Kind, path: string): IndexEntry | undefined {
    this.#countUse();
    const entry = this.#entries[kind].get(path);
    if (!entry) return undefined;
    entry.usedAt = Date.now();
    if (entry.missed.length > entry.followed) follow(entry);
    return entry;
  }

  #countUse(): void {
    if (++this.#uses % SWEEP_EVERY === 0) this.#sweep();
  }

  #add(kind: Kind, path: string, entry: IndexEntry): void {
    const count = KINDS.reduce((sum, one) => sum + this.#entries[one].size, 0);
    if (count >= MAX_INDEXES) this.#dropLeastRecent();
    this.#entries[kind].set(path, entry);
  }

  /** Hot path: most writes are to collections without indexes. */
  #change(kind: "insert" | "remove", record: StoredRecord): void {
    for (const name of KINDS) {
      const entries = this.#entries[name];
      if (entries.size === 0) continue;
      for (const [path, entry] of entries) {
        entry.missed.push({ kind, record });
        if (entry.missed.length - entry.followed <= MAX_MISSED) continue;
        follow(entry);
        if (entry.index?.isAbandoned && !entry.building) entries.delete(path);
      }
    }
  }

  #sweep(): void {
    const { used_heap_size, heap_size_limit } = getHeapStatistics();
    const isShort = used_heap_size > heap_size_limit * HEAP_LIMIT_SHARE;
    const oldest = Date.now() - DISUSED_MS;
    for (const kind of KINDS) {
      const paths = this.#entries[kind];
      for (const [path, { usedAt }] of paths) if (isShort || usedAt < oldest) paths.delete(path);
    }
  }

  #dropLeastRecent(): void {
    const entries = KINDS.flatMap((kind) =>
      [...this.#entries[kind]].map(([path, { usedAt }]) => ({ kind, path, usedAt })),
    );
    const [least] = entries.sort((a, b) => a.usedAt - b.usedAt);
    if (least) this.#entries[least.kind].delete(least.path);
  }
}

/** Applies the changes that an index has missed. */
function follow(entry: IndexEntry): void {
  const { index, missed } = entry;
  if (!index) return;
  for (const { kind, record } of missed.slice(entry.followed)) index[kind](record);
  entry.followed = missed.length;
  if (entry.building) return;
  entry.missed = [];
  entry.followed = 0;
}

/** Publishes an index that was built, up to date. */
function finish<T extends RecordIndex>(entry: IndexEntry<T>, index: T): void {
  entry.index = index;
  entry.building = undefined;
  entry.followed = 0;
  follow(entry);
}
