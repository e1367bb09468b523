import { getHeapStatistics } from "node:v8";
import { judgedValues } from "../../../query/condition.ts";
import { type Path, valueAt } from "../../../query/path.ts";
import { searchedTexts } from "../../../query/search.ts";
import { textOf } from "../../../query/text.ts";
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
  readonly index: T;
  usedAt: number;
}

/** The indexes of one collection: made when first asked for, kept current by every change, dropped when not used. */
export class IndexSet {
  #records: () => readonly StoredRecord[];
  #lend: () => readonly StoredRecord[];
  readonly #kept = new Map<string, Kept>();
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
    return [...this.#kept.keys()];
  }

  /** Records by the values at a path. */
  equality(path: Path): EqualityIndex {
    return this.#get(`equality of ${path.text}`, () => new EqualityIndex(path, this.#records()));
  }

  /** Records in the order a sort by the path gives them. */
  order(path: Path): SortedIndex {
    return this.#get(
      `order of ${path.text}`,
      () => new SortedIndex(this.#records(), (record) => [valueAt(record.value, path)]),
    );
  }

  /** Every value at a path that a range may be asked for, in order. */
  range(path: Path): SortedIndex {
    return this.#get(
      `range of ${path.text}`,
      () => new SortedIndex(this.#records(), (record) => judgedValues(record.value, path)),
    );
  }

  /** The letters of what stands at a path; undefined until it has been built in the background. */
  text(path: Path): TextIndex | undefined {
    return this.#ready(
      this.#get(`text of ${path.text}`, () => new TextIndex((record) => judgedValues(record.value, path).map(textOf))),
    );
  }

  /** The letters of everything that `q` looks into; undefined until it has been built in the background. */
  search(): TextIndex | undefined {
    return this.#ready(this.#get("text of all fields", () => new TextIndex((record) => searchedTexts(record.value))));
  }

  insert(record: StoredRecord): void {
    for (const { index } of this.#kept.values()) index.insert(record);
  }

  replace(before: StoredRecord, after: StoredRecord): void {
    for (const { index } of this.#kept.values()) {
      index.remove(before);
      index.insert(after);
    }
  }

  remove(record: StoredRecord): void {
    for (const { index } of this.#kept.values()) index.remove(record);
  }

  #ready(index: TextIndex): TextIndex | undefined {
    index.refresh(this.#lend);
    return index.isReady ? index : undefined;
  }

  #get<T extends Maintained>(name: string, create: () => T): T {
    if (++this.#uses % SWEEP_EVERY === 0) this.#sweep();
    let kept = this.#kept.get(name) as Kept<T> | undefined;
    if (!kept) {
      if (this.#kept.size >= MAX_INDEXES) this.#dropLeastRecent();
      kept = { index: create(), usedAt: 0 };
      this.#kept.set(name, kept);
    }
    kept.usedAt = Date.now();
    return kept.index;
  }

  #sweep(): void {
    const { used_heap_size, heap_size_limit } = getHeapStatistics();
    if (used_heap_size > heap_size_limit * HEAP_LIMIT_SHARE) this.#kept.clear();
    const oldest = Date.now() - DISUSED_MS;
    for (const [name, { usedAt }] of this.#kept) if (usedAt < oldest) this.#kept.delete(name);
  }

  #dropLeastRecent(): void {
    const [least] = [...this.#kept].sort(([, a], [, b]) => a.usedAt - b.usedAt);
    if (least) this.#kept.delete(least[0]);
  }
}
