import { getHeapStatistics } from "node:v8";
import { judgedValues } from "../../../query/condition.ts";
import { type Path, valueAt } from "../../../query/path.ts";
import { searchedTexts } from "../../../query/search.ts";
import { textOf } from "../../../query/text.ts";
import { atOnce, inSlices, MAX_AT_ONCE, type Work } from "../../../slices.ts";
import type { StoredRecord } from "../../stored-record.ts";
import { EqualityIndex } from "./equality-index.ts";
import { SortedIndex } from "./sorted-index.ts";
import { TextIndex } from "./text-index.ts";

/** Below this a scan is as fast as an index and costs no memory. */
export const MIN_INDEXED_RECORDS = 1000;
/** More paths than this are not indexed at once; the one used least recently goes. */
const MAX_INDEXES = 32;
/** An index that nobody asked for this long is dropped. */
const DISUSED_MS = 10 * 60 * 1000;
/** How often, in uses, disuse and memory are looked at. */
const SWEEP_EVERY = 1000;
const HEAP_LIMIT_SHARE = 0.85;

interface Maintained {
  insert(record: StoredRecord): void;
  remove(record: StoredRecord): void;
}

interface Kept<T extends Maintained = Maintained> {
  /** Undefined while it is being built. */
  index: T | undefined;
  building: Building | undefined;
  /** What changed while it was being built. */
  missed: { readonly kind: "insert" | "remove"; readonly record: StoredRecord }[];
  usedAt: number;
}

/** A path may have any name, the empty one included, so what `q` looks into is a kind of its own. */
const KINDS = ["equality", "order", "range", "text", "search"] as const;
type Kind = (typeof KINDS)[number];

/** An index that is not there yet. Whoever needs it waits and asks again: by then there may be another state to ask. */
export class Building {
  readonly done: Promise<void>;

  constructor(done: Promise<void>) {
    this.done = done;
  }
}

/**
 * The indexes of one collection: made when first asked for, kept current by every change, dropped when not used. Those of
 * a large collection are built in slices, beside other requests.
 */
export class IndexSet {
  #records: () => readonly StoredRecord[];
  #lend: () => readonly StoredRecord[];
  readonly #kept: Readonly<Record<Kind, Map<string, Kept>>> = {
    equality: new Map(),
    order: new Map(),
    range: new Map(),
    text: new Map(),
    search: new Map(),
  };
  #uses = 0;

  constructor(records: () => readonly StoredRecord[], lend: () => readonly StoredRecord[]) {
    this.#records = records;
    this.#lend = lend;
  }

  /** Serves another collection that has the same records from now on. */
  moveTo(records: () => readonly StoredRecord[], lend: () => readonly StoredRecord[]): this {
    this.#records = records;
    this.#lend = lend;
    return this;
  }

  /** What is indexed now, in words. */
  get names(): string[] {
    return KINDS.flatMap((kind) =>
      [...this.#kept[kind].keys()].map((path) => (kind === "search" ? "text of all fields" : `${kind} of ${path}`)),
    );
  }

  /** Records by the values at a path. */
  equality(path: Path): EqualityIndex | Building {
    return this.#get("equality", path, (records) => EqualityIndex.build(path, records));
  }

  /** Records in the order a sort by the path gives them. */
  order(path: Path): SortedIndex | Building {
    return this.#get("order", path, (records) => SortedIndex.build(records, (record) => [valueAt(record.value, path)]));
  }

  /** Every value at a path that a range may be asked for, in order. */
  range(path: Path): SortedIndex | Building {
    return this.#get("range", path, (records) =>
      SortedIndex.build(records, (record) => judgedValues(record.value, path)),
    );
  }

  /** The letters of what stands at a path; undefined until it has been built in the background. */
  text(path: Path): TextIndex | undefined {
    return this.#text("text", path.text, (record) => judgedValues(record.value, path).map(textOf));
  }

  /** The letters of everything that `q` looks into; undefined until it has been built in the background. */
  search(): TextIndex | undefined {
    return this.#text("search", "", (record) => searchedTexts(record.value));
  }

  insert(record: StoredRecord): void {
    for (const kept of this.#all()) change(kept, "insert", record);
  }

  replace(before: StoredRecord, after: StoredRecord): void {
    for (const kept of this.#all()) {
      change(kept, "remove", before);
      change(kept, "insert", after);
    }
  }

  remove(record: StoredRecord): void {
    for (const kept of this.#all()) change(kept, "remove", record);
  }

  #get<T extends Maintained>(
    kind: Kind,
    path: Path,
    build: (records: readonly StoredRecord[]) => Work<T>,
  ): T | Building {
    let kept = this.#used(kind, path.text) as Kept<T> | undefined;
    if (!kept) {
      kept = { index: undefined, building: undefined, missed: [], usedAt: Date.now() };
      this.#keep(kind, path.text, kept);
      if (this.#records().length <= MAX_AT_ONCE) kept.index = atOnce(build(this.#records()));
      else kept.building = new Building(inSlices(build(this.#lend())).then((index) => finish(kept as Kept<T>, index)));
    }
    return kept.index ?? (kept.building as Building);
  }

  #text(
    kind: "text" | "search",
    path: string,
    textsOf: (record: StoredRecord) => readonly string[],
  ): TextIndex | undefined {
    let kept = this.#used(kind, path) as Kept<TextIndex> | undefined;
    if (!kept) {
      kept = { index: new TextIndex(textsOf), building: undefined, missed: [], usedAt: Date.now() };
      this.#keep(kind, path, kept);
    }
    const index = kept.index as TextIndex;
    index.refresh(this.#lend);
    return index.isReady ? index : undefined;
  }

  #used(kind: Kind, path: string): Kept | undefined {
    if (++this.#uses % SWEEP_EVERY === 0) this.#sweep();
    const kept = this.#kept[kind].get(path);
    if (kept) kept.usedAt = Date.now();
    return kept;
  }

  #keep(kind: Kind, path: string, kept: Kept): void {
    const count = KINDS.reduce((sum, one) => sum + this.#kept[one].size, 0);
    if (count >= MAX_INDEXES) this.#dropLeastRecent();
    this.#kept[kind].set(path, kept);
  }

  *#all(): Generator<Kept> {
    for (const kind of KINDS) yield* this.#kept[kind].values();
  }

  #sweep(): void {
    const { used_heap_size, heap_size_limit } = getHeapStatistics();
    const isShort = used_heap_size > heap_size_limit * HEAP_LIMIT_SHARE;
    const oldest = Date.now() - DISUSED_MS;
    for (const kind of KINDS) {
      const paths = this.#kept[kind];
      for (const [path, { usedAt }] of paths) if (isShort || usedAt < oldest) paths.delete(path);
    }
  }

  #dropLeastRecent(): void {
    const entries = KINDS.flatMap((kind) =>
      [...this.#kept[kind]].map(([path, { usedAt }]) => ({ kind, path, usedAt })),
    );
    const [least] = entries.sort((a, b) => a.usedAt - b.usedAt);
    if (least) this.#kept[least.kind].delete(least.path);
  }
}

function change(kept: Kept, kind: "insert" | "remove", record: StoredRecord): void {
  if (kept.index) kept.index[kind](record);
  else kept.missed.push({ kind, record });
}

/** The index is that of the moment when building began: what happened since comes now. */
function finish<T extends Maintained>(kept: Kept<T>, index: T): void {
  for (const { kind, record } of kept.missed) index[kind](record);
  kept.missed = [];
  kept.index = index;
  kept.building = undefined;
}
