import type { Eventually } from "../../base/eventually.ts";
import { isJsonObject, type Json } from "../../base/json/json.ts";
import { atOnce, inSlices, STEP, type Work } from "../../base/slices.ts";
import { hasPath, type Path } from "../../query/path.ts";
import type { Completion } from "../completion.ts";
import { type Id, type NewId, randomId, seededId } from "../ids.ts";
import { keyTexts, refersTo } from "../key-texts.ts";
import { PendingRecords } from "../record-rules.ts";
import type { Edit } from "../store.ts";
import { freeSlot, positionOf, recordAt, type StoredRecord } from "../stored-record.ts";
import { findHeldPaths, HeldFields } from "./find-held-paths.ts";
import { EqualityIndex } from "./indexes/equality-index.ts";
import { type Indexes, IndexSet, MIN_INDEXED_RECORDS, PendingIndex } from "./indexes/index-set.ts";
import { RecordIds, unusedText } from "./record-ids.ts";
import { RecordList } from "./record-list.ts";
import { inverted, rewritten } from "./rewrite-records.ts";

/** The most edits of one change that indexes follow; beyond it they are dropped, and built again beside other requests. */
export const MAX_INDEXED_EDITS = 2000;
/** The most absent paths to remember. */
const MAX_ABSENT_PATHS = 100;
/** The records that usually suffice to find a path: fields that any record has, most have. */
const FIRST_RECORDS = 64;
/** The tests of one record for one path that do not block others for long. */
const MAX_PATH_TESTS = 200_000;

/**
 * The records of one collection, in order and by id. They are in an array sorted by slot, so a page is a slice and a
 * record's position is a binary search.
 */
export class Collection {
  readonly name: string;
  readonly idKey: string;
  readonly completion: Completion | undefined;
  /** The version of the last change to any of its records. */
  version: number;
  /** Set once two states share this collection: the first writer copies it. */
  isShared = false;
  readonly #list: RecordList;
  /** The array of the list, once all its records are created. */
  #all: StoredRecord[] | undefined;
  /** Set while a reader may still use the array: the next write copies it. */
  #isLent = false;
  readonly #ids: RecordIds;
  /** Created by the first filter by id. */
  #idLookup: EqualityIndex | undefined;
  #nextSlot: number;
  /** Paths that no record has, so that a filter on one does not scan all records again. */
  readonly #absentPaths: Map<string, Path>;
  /** Created by the first call of `holds`. */
  #heldFields: HeldFields | undefined;
  #indexes: IndexSet;
  /** Set in a visit of the past, which is over soon: to build an index would take longer than the scans that it saves. */
  isOfPast = false;
  readonly #minIndexed: number;
  readonly #seed: number | undefined;

  private constructor(list: RecordList, facts: CollectionParts) {
    this.name = facts.name;
    this.idKey = facts.idKey;
    this.completion = facts.completion;
    this.version = facts.version;
    this.#list = list;
    this.#nextSlot = facts.nextSlot;
    this.#absentPaths = new Map(facts.absentPaths);
    this.#minIndexed = facts.minIndexed;
    this.#seed = facts.seed;
    this.#ids = facts.createIds(list);
    this.#indexes = new IndexSet(this);
  }

  /** Creates a collection from the values of a data file, unchanged; warns of records that cannot be addressed. */
  static load(name: string, values: readonly Json[], options: CollectionLoadOptions): Collection {
    const { idKey, version, warn, minIndexed = MIN_INDEXED_RECORDS, seed, completion, records: known } = options;
    return new Collection(known ? RecordList.of(known) : RecordList.load(values, version), {
      name,
      idKey,
      version,
      minIndexed,
      seed,
      completion,
      nextSlot: known ? (known.at(-1)?.slot ?? -1) + 1 : values.length,
      absentPaths: new Map(),
      createIds: (records) => RecordIds.load(records, values, { idKey, warn: (text) => warn(`${name}: ${text}`) }),
    });
  }

  /** Creates a writable copy: one pointer per record, with shared ids. `changes` are other facts than those of this one. */
  clone(takesIndexes = true, changes: ChangedParts = {}): Collection {
    const clone = this.#copy(this.#records.slice(), changes);
    if (!takesIndexes) return clone;
    // The state that is written to gets most queries, so it takes the indexes; the other one builds its own if needed.
    [this.#indexes, clone.#indexes] = [clone.#indexes, this.#indexes];
    this.#indexes.owner = this;
    clone.#indexes.owner = clone;
    return clone;
  }

  /** Creates a copy with the edits of an ordered change, with pauses. It knows nothing yet that queries found out. */
  *edited(edits: readonly Edit[], version: number): Work<Collection> {
    const records = yield* rewritten(this.#records, edits);
    const nextSlot = this.#nextSlotAfter(records);
    const copy = this.#copy(records, { version, nextSlot, absentPaths: new Map() }, this.#ids.hasDuplicates);
    if (this.#ids.hasDuplicates) return copy;
    yield* copy.#followIds(edits);
    yield* copy.#ids.fold();
    return copy;
  }

  /** Creates a copy of an earlier moment. Its ids and findings are those of this turn, until `rewind` finds the records. */
  *earlier(facts: EarlierFacts, rewind: Work<RewoundRecords>): Work<Collection> {
    let copy = this.#copy([], { ...facts, idKey: this.idKey });
    const { records, edits } = yield* rewind;
    copy.#records = records;
    for (const [position, { after }] of edits.entries()) {
      copy.#followPaths(after);
      if (position % STEP === STEP - 1) yield;
    }
    if (facts.idKey === this.idKey && !this.#ids.hasDuplicates) yield* copy.#followIds(edits);
    else copy = copy.#copy(records, facts, true);
    copy.isOfPast = true;
    return copy;
  }

  /** Whether this very record is in it. */
  has(record: StoredRecord): boolean {
    return this.#list.withSlot(record.slot) === record;
  }

  /** The slot for a record that had another one before it was removed: the same, or one right behind it. */
  placeFor(slot: number): number {
    return freeSlot(slot, this.#nextSlot, (one) => recordAt(this.#records, one) !== undefined);
  }

  /** Slots are never used again, so that of the last record may be below those of removed ones. */
  #nextSlotAfter(records: readonly StoredRecord[]): number {
    return Math.max(this.#nextSlot, (records.at(-1)?.slot ?? -1) + 1);
  }

  *#followIds(edits: readonly Edit[]): Work<void> {
    for (const [position, { before, after }] of edits.entries()) {
      if (!before && after) this.#ids.inserted(after);
      else if (before && !after) this.#ids.removed(before);
      if (position % STEP === STEP - 1) yield;
    }
  }

  /** Creates a collection with other records. Its ids are those of this one unless they are to be read. */
  #copy(records: StoredRecord[], changes: ChangedParts, readsIds = false): Collection {
    const { idKey = this.idKey } = changes;
    return new Collection(RecordList.of(records), {
      name: this.name,
      idKey: this.idKey,
      version: this.version,
      minIndexed: this.#minIndexed,
      seed: this.#seed,
      completion: this.completion,
      nextSlot: this.#nextSlot,
      absentPaths: this.#absentPaths,
      createIds: (list) =>
        idKey === this.idKey && !readsIds
          ? this.#ids.fork(list)
          : RecordIds.load(
              list,
              records.map(({ value }) => value),
              { idKey, warn: () => {} },
            ),
      ...changes,
    });
  }

  /** All records. Await `create` first unless `isCreated`. */
  get records(): readonly StoredRecord[] {
    return this.#records;
  }

  /** The number of records. */
  get size(): number {
    return this.#all?.length ?? this.#list.length;
  }

  /** The records of these positions. */
  slice(from: number, to: number): readonly StoredRecord[] {
    return this.#list.slice(from, to);
  }

  /** Whether reading `records` takes no time worth mentioning. */
  get isCreated(): boolean {
    return this.#all !== undefined || this.#list.isCreated;
  }

  /** Creates all records, with pauses. */
  create(): Promise<void> {
    return this.#list.create();
  }

  get #records(): StoredRecord[] {
    this.#all ??= this.#list.all;
    return this.#all;
  }

  set #records(records: StoredRecord[]) {
    this.#list.all = records;
    this.#all = records;
    this.#isLent = false;
  }

  /** The indexes, built on demand; undefined while the collection is too small to need any. */
  get indexes(): IndexSet | undefined {
    return this.size >= this.#minIndexed && !this.isOfPast ? this.#indexes : undefined;
  }

  /** The current records, for a reader that takes longer than this turn. */
  lend(): readonly StoredRecord[] {
    this.#isLent = true;
    return this.#records;
  }

  get(id: Id): StoredRecord | undefined {
    return this.#ids.get(id);
  }

  /** Finds the records by the values at a path, if these are their ids, and each has one of its own. */
  idLookup(path: Path): EqualityIndex | undefined {
    if (path.text !== this.idKey || !this.#ids.areOfAll(this.size)) return undefined;
    this.#idLookup ??= new EqualityIndex(path, (id) => this.#ids.get(id));
    return this.#idLookup;
  }

  /** Whether ids are numbers, for foreign keys that refer to this collection. */
  get hasNumberIds(): boolean {
    return this.#ids.areNumbers;
  }

  /** The slot of the next record. */
  get nextSlot(): number {
    return this.#nextSlot;
  }

  /** The records whose `key` refers to this id, in order. Throws where an index for it is worth waiting for. */
  referring(key: string, id: string, isRepeated = false): readonly StoredRecord[] {
    return atOnce(this.referringInSteps(key, id, isRepeated));
  }

  *referringInSteps(key: string, id: string, isRepeated = false): Work<readonly StoredRecord[]> {
    const foreignKey = { field: key, isList: false };
    const index = this.indexOf(key, isRepeated ? this.indexes : this.indexes?.present);
    if (isRepeated && index instanceof PendingIndex) throw new PendingRecords(index.done);
    const candidates = index && !(index instanceof PendingIndex) ? index.get(id) : this.#records;
    const found: StoredRecord[] = [];
    for (const [position, record] of candidates.entries()) {
      if (refersTo(record.value, foreignKey, id)) found.push(record);
      if (position % STEP === STEP - 1) yield;
    }
    return found;
  }

  /** The index of a field; undefined where there is none. That of a name with a dot would be that of a path. */
  indexOf(field: string, indexes: Indexes | undefined = this.indexes): EqualityIndex | PendingIndex | undefined {
    return field.includes(".") ? undefined : indexes?.equality({ text: field, segments: [field] });
  }

  existing(ids: readonly string[]): ReadonlySet<string> {
    return new Set(ids.filter((id) => this.get(id)));
  }

  /** The records whose field, or an element of it, has one of these texts. Throws while an index for it is being built. */
  holding(field: string, texts: readonly string[]): readonly StoredRecord[] {
    const index = this.indexOf(field);
    if (index instanceof PendingIndex) throw new PendingRecords(index.done);
    if (index) return texts.flatMap((text) => index.get(text));
    const wanted = new Set(texts);
    const key = { field, isList: true };
    return this.#records.filter(({ value }) => keyTexts(value, key).some((text) => wanted.has(text)));
  }

  /** Generates ids for records that are created together, each above `promised` and not taken. */
  newIds(): NewId {
    const newText = this.#textIds();
    const ids = this.completion?.ids;
    if (ids === "increment") return (promised, isTaken) => this.#ids.nextNumber(promised, isTaken, newText);
    if (ids) return (_promised, isTaken) => unusedText(isTaken, newText);
    return (promised, isTaken) => this.#ids.next(promised, isTaken, newText);
  }

  /** Generates text ids. With a seed they depend on the slot, so that other collections and sandboxes have no influence. */
  #textIds(): () => string {
    const seed = this.#seed;
    const ids = this.completion?.ids;
    let tries = 0;
    if (typeof ids === "object") {
      return () => ids.next({ collection: this.name, slot: this.#nextSlot, attempt: tries++ });
    }
    if (seed === undefined) return () => randomId();
    return () => seededId(seed, `${this.name}/${this.#nextSlot}/${tries++}`);
  }

  /** Inserts a record by its slot: last, unless a removal is being undone. Returns its position. */
  insert(record: StoredRecord): number {
    const records = this.#ownRecords();
    const isLast = record.slot >= this.#nextSlot;
    const position = isLast ? records.length : positionOf(records, record.slot);
    if (isLast) {
      records.push(record);
      this.#nextSlot = record.slot + 1;
    } else {
      records.splice(position, 0, record);
    }
    this.#ids.inserted(record);
    this.#follow(undefined, record);
    return position;
  }

  /** Replaces a record by one with the same id and slot. Returns their position. */
  replace(before: StoredRecord, after: StoredRecord): number {
    const records = this.#ownRecords();
    const position = positionOf(records, before.slot);
    records[position] = after;
    this.#follow(before, after);
    return position;
  }

  /** Applies the edits of an ordered change. */
  applyAll(edits: readonly Edit[]): void {
    const records = atOnce(rewritten(this.#records, edits));
    this.#nextSlot = this.#nextSlotAfter(records);
    this.#records = records;
    atOnce(this.#followIds(edits));
    if (edits.length > MAX_INDEXED_EDITS) this.forgetFindings();
    else for (const { before, after } of edits) this.#follow(before, after);
  }

  /** Forgets all that queries have found out about the records: finding it again takes less time than keeping it right. */
  forgetFindings(): void {
    this.#indexes.clear();
    this.#absentPaths.clear();
    this.#heldFields = undefined;
  }

  /** Keeps right what queries have found out. */
  #follow(before: StoredRecord | undefined, after: StoredRecord | undefined): void {
    this.#followPaths(after);
    this.#heldFields?.written(before, after);
    this.#indexes.changed(before, after);
  }

  #followPaths(after: StoredRecord | undefined): void {
    for (const [text, path] of this.#absentPaths) {
      if (after && hasPath(after.value, path)) this.#absentPaths.delete(text);
    }
  }

  /** Undoes the edits of a change in one pass over the records, however many it has. */
  undoAll(edits: readonly Edit[], hasOneEach: boolean): void {
    const undoing = inverted(edits, hasOneEach);
    const changed = undoing.filter(({ before }) => before);
    this.#records = atOnce(rewritten(this.#records, undoing));
    this.forgetFindings();
    atOnce(this.#followIds(changed));
    for (const { before, after } of undoing) if (!before && after) this.#ids.inserted(after);
  }

  /** Removes a record. Returns the position it had. */
  remove(record: StoredRecord): number {
    const records = this.#ownRecords();
    const position = positionOf(records, record.slot);
    records.splice(position, 1);
    this.#ids.removed(record);
    this.#follow(record, undefined);
    return position;
  }

  /** Whether any record has a value (null included) at this path. Usually tests one record. */
  hasPath(path: Path): boolean {
    if (this.#absentPaths.has(path.text)) return false;
    if (this.#records.some((record) => hasPath(record.value, path))) return true;
    if (this.#absentPaths.size < MAX_ABSENT_PATHS) this.#absentPaths.set(path.text, path);
    return false;
  }

  /** The texts of those paths at which any record has a value (null included). Takes pauses to look for many. */
  heldPaths(paths: readonly Path[]): Eventually<ReadonlySet<string>> {
    const first = this.slice(0, FIRST_RECORDS);
    const isHeld = (path: Path): boolean => first.some(({ value }) => hasPath(value, path));
    const held = new Set(paths.filter(isHeld).map(({ text }) => text));
    const open = paths.filter(({ text }) => !held.has(text) && !this.#absentPaths.has(text));
    if (open.length === 0) return held;
    if (!this.isCreated) return this.create().then(() => this.heldPaths(paths));
    if (!this.isLongSearch(open.length)) return this.#note(open, held, atOnce(findHeldPaths(this.#records, open)));
    const records = this.lend();
    return inSlices(findHeldPaths(records, open)).then((found) => {
      // A write may have added a path meanwhile.
      return this.#note(records === this.#records ? open : [], held, found);
    });
  }

  /** As `hasPath`, but undefined where that would take a search: usually the first record tells. */
  hasPathAtHand(path: Path): boolean | undefined {
    const first = this.#list.at(0);
    if (!first || this.#absentPaths.has(path.text)) return false;
    return hasPath(first.value, path) || undefined;
  }

  /** Whether looking for so many paths would block others. */
  isLongSearch(paths: number): boolean {
    return paths * this.size > MAX_PATH_TESTS;
  }

  /** Adds what was found of the paths to `held`, and remembers the others. */
  #note(paths: readonly Path[], held: Set<string>, found: ReadonlySet<string>): ReadonlySet<string> {
    for (const text of found) held.add(text);
    for (const path of paths) {
      if (!found.has(path.text) && this.#absentPaths.size < MAX_ABSENT_PATHS) this.#absentPaths.set(path.text, path);
    }
    return held;
  }

  /** Whether any record has this field. Scans the records only after a write that may have changed the result. */
  holds(field: string): boolean {
    this.#heldFields ??= new HeldFields();
    return this.#heldFields.has(field, this.#records);
  }

  /** The field names of the first record, for messages about an unknown field. */
  fieldNames(): string[] {
    const first = this.#list.at(0)?.value;
    return isJsonObject(first) ? Object.keys(first) : [];
  }

  #ownRecords(): StoredRecord[] {
    if (this.#isLent) this.#records = this.#records.slice();
    return this.#records;
  }
}

export interface CollectionLoadOptions {
  readonly idKey: string;
  readonly version: number;
  readonly warn: (text: string) => void;
  /** The number of records from which on queries build indexes. */
  readonly minIndexed?: number | undefined;
  /** The seed of new text ids; random without it. */
  readonly seed?: number | undefined;
  readonly completion?: Completion | undefined;
  /** The records of the values, where these were kept with their versions and slots. */
  readonly records?: StoredRecord[];
}

type ChangedParts = Partial<Omit<CollectionParts, "createIds">>;

/** The state that a new or copied collection starts with. */
interface CollectionParts {
  readonly name: string;
  readonly idKey: string;
  readonly version: number;
  readonly minIndexed: number;
  readonly seed: number | undefined;
  readonly completion: Completion | undefined;
  readonly nextSlot: number;
  readonly absentPaths: ReadonlyMap<string, Path>;
  readonly createIds: (records: RecordList) => RecordIds;
}

/** The facts in which a collection of an earlier moment may differ from the present one. */
export interface EarlierFacts {
  readonly name: string;
  readonly idKey: string;
  readonly version: number;
}

/** The records of an earlier moment, and the edits that lead to them. */
export interface RewoundRecords {
  readonly records: StoredRecord[];
  readonly edits: readonly Edit[];
}
