import { isJsonObject, type Json } from "../../json.ts";
import { hasPath, type Path } from "../../query/path.ts";
import { type Id, idOf, lookupKey, randomId } from "../ids.ts";
import { StoredRecord } from "../stored-record.ts";
import { IdIndex } from "./id-index.ts";
import { IndexSet, MIN_INDEXED_RECORDS } from "./indexes/index-set.ts";

/** Steps to look below a removed largest id before counting through the whole collection. */
const MAX_STEPS_DOWN = 1000;
/** How many paths that no record has are remembered. */
const MAX_ABSENT_PATHS = 100;

/**
 * The records of one collection, in order, and found by id in one step. Records stand in an array sorted by slot, so a
 * page is a slice and a record's position is a binary search.
 */
export class Collection {
  readonly name: string;
  readonly idKey: string;
  /** The version of the last change to any of its records. */
  version: number;
  /** Set once two states hold this collection: whoever writes first makes a copy. */
  isShared = false;
  #records: StoredRecord[];
  /** Set while somebody else may still be reading the array: the next write makes a copy of it. */
  #isLent = false;
  /** Records whose id is not one of the dense ones. */
  #ids: IdIndex;
  /** So many records from the start were loaded with the ids 1, 2, 3 ...: their slot tells their id, without an index. */
  #denseIds = 0;
  #nextSlot: number;
  #numberIds = 0;
  #textIds = 0;
  #hasDuplicates = false;
  /** The largest integer among the ids; undefined when it must be looked for. */
  #largestId: number | undefined;
  /** Paths known to lead nowhere, so that a parameter nobody has is not looked for in every record again. */
  #absentPaths: Map<string, Path>;
  readonly #indexes: IndexSet;
  readonly #minIndexed: number;

  private constructor(
    name: string,
    idKey: string,
    version: number,
    records: StoredRecord[],
    ids: IdIndex,
    minIndexed: number,
  ) {
    this.name = name;
    this.idKey = idKey;
    this.version = version;
    this.#records = records;
    this.#ids = ids;
    this.#nextSlot = (records.at(-1)?.slot ?? -1) + 1;
    this.#absentPaths = new Map();
    this.#minIndexed = minIndexed;
    this.#indexes = new IndexSet(
      () => this.#records,
      () => this.lend(),
    );
  }

  /** Takes the values of a data file as they are; `warn` hears of records that cannot be addressed. */
  static load(
    name: string,
    values: readonly Json[],
    idKey: string,
    version: number,
    warn: (text: string) => void,
    minIndexed = MIN_INDEXED_RECORDS,
  ): Collection {
    const records = values.map((value, slot) => new StoredRecord(value, version, slot));
    const collection = new Collection(name, idKey, version, records, new IdIndex(), minIndexed);
    collection.#denseIds = denseIds(values, idKey);
    collection.#numberIds = collection.#denseIds;
    if (collection.#denseIds > 0) collection.#largestId = collection.#denseIds;
    let withoutId = 0;
    for (const record of records.slice(collection.#denseIds)) {
      const id = idOf(record.value, idKey);
      if (id === undefined) withoutId++;
      else if (collection.get(id)) {
        collection.#hasDuplicates = true;
        warn(`${name}: the ${idKey} ${JSON.stringify(id)} occurs more than once; only the first is addressable.`);
      } else collection.#index(id, record);
    }
    if (withoutId > 0) warn(`${name}: ${withoutId} without a usable "${idKey}": listed, but not addressable.`);
    return collection;
  }

  get records(): readonly StoredRecord[] {
    return this.#records;
  }

  /** The indexes, made as they are asked for; undefined while the collection is too small to need any. */
  get indexes(): IndexSet | undefined {
    return this.#records.length >= this.#minIndexed ? this.#indexes : undefined;
  }

  /** The records as they are now, for a reader who takes longer than this turn. */
  lend(): readonly StoredRecord[] {
    this.#isLent = true;
    return this.#records;
  }

  get(id: Id): StoredRecord | undefined {
    const key = lookupKey(id);
    if (typeof key === "number" && key >= 1 && key <= this.#denseIds && Number.isInteger(key)) {
      const record = this.#atSlot(key - 1);
      if (record) return record;
    }
    return this.#ids.get(key);
  }

  /** The type that ids of this collection have, for keys that refer to it. */
  get hasNumberIds(): boolean {
    return this.#numberIds > 0 || this.#textIds === 0;
  }

  /** How many slots have been given away; the next record gets this one. */
  get nextSlot(): number {
    return this.#nextSlot;
  }

  /** A copy that can be written to: one pointer per record, and the ids shared. */
  clone(): Collection {
    const records = this.#records.slice();
    const clone = new Collection(this.name, this.idKey, this.version, records, this.#ids.fork(), this.#minIndexed);
    clone.#denseIds = this.#denseIds;
    clone.#nextSlot = this.#nextSlot;
    clone.#numberIds = this.#numberIds;
    clone.#textIds = this.#textIds;
    clone.#hasDuplicates = this.#hasDuplicates;
    clone.#largestId = this.#largestId;
    clone.#absentPaths = new Map(this.#absentPaths);
    return clone;
  }

  /**
   * The largest integer id + 1, from 1; a short random text where the ids are text. Stays above `promised`, too, and
   * passes over what `isTaken`.
   */
  newId(promised = Number.NEGATIVE_INFINITY, isTaken: (id: Id) => boolean = (id) => this.get(id) !== undefined): Id {
    if (this.#numberIds === 0 && this.#textIds > 0) return unusedRandomId(isTaken);
    if (this.#numberIds > 0) this.#largestId ??= this.#findLargestId();
    const largest = Math.max(promised, this.#largestId ?? Number.NEGATIVE_INFINITY);
    let id = largest === Number.NEGATIVE_INFINITY ? 1 : largest + 1;
    // 0 counts as "no id" in a body, so it is never given away; and a text may stand for the number already.
    while (Number.isSafeInteger(id) && (id === 0 || isTaken(id))) id++;
    return Number.isSafeInteger(id) ? id : unusedRandomId(isTaken);
  }

  /** Puts a record where its slot belongs: last, unless a removal is being undone. Gives back its position. */
  insert(record: StoredRecord): number {
    const records = this.#ownRecords();
    const isLast = record.slot >= this.#nextSlot;
    const position = isLast ? records.length : this.#position(record.slot);
    if (isLast) {
      records.push(record);
      this.#nextSlot = record.slot + 1;
    } else {
      records.splice(position, 0, record);
    }
    const id = idOf(record.value, this.idKey);
    if (id !== undefined) this.#indexInserted(id, record);
    this.#noticePaths(record);
    this.#indexes.insert(record);
    return position;
  }

  /** Both have the same id and slot. Gives back their position. */
  replace(before: StoredRecord, after: StoredRecord): number {
    const position = this.#position(before.slot);
    this.#ownRecords()[position] = after;
    const id = idOf(after.value, this.idKey);
    if (id !== undefined && !this.#isDense(id, after)) this.#ids.set(id, after);
    this.#noticePaths(after);
    this.#indexes.replace(before, after);
    return position;
  }

  /** Gives back the position it had. */
  remove(record: StoredRecord): number {
    const position = this.#position(record.slot);
    this.#ownRecords().splice(position, 1);
    this.#unindex(record);
    this.#indexes.remove(record);
    return position;
  }

  #unindex(record: StoredRecord): void {
    const id = idOf(record.value, this.idKey);
    if (id === undefined) return;
    if (!this.#isDense(id, record)) {
      if (this.#ids.get(id) !== record) return;
      this.#ids.delete(id);
    }
    if (typeof id === "number") {
      this.#numberIds--;
      if (id === this.#largestId) this.#largestId = this.#numberIds > 0 ? this.#largestBelow(id) : undefined;
    } else this.#textIds--;
    if (this.#hasDuplicates) this.#indexNext(id);
  }

  /** Whether any record has a value, be it null, at this path. Touches one record in the common case. */
  hasPath(path: Path): boolean {
    if (this.#absentPaths.has(path.text)) return false;
    if (this.#records.some((record) => hasPath(record.value, path))) return true;
    if (this.#absentPaths.size < MAX_ABSENT_PATHS) this.#absentPaths.set(path.text, path);
    return false;
  }

  /** The field names of the first record: what a message offers when a field is unknown. */
  fieldNames(): string[] {
    const first = this.#records[0]?.value;
    return isJsonObject(first) ? Object.keys(first) : [];
  }

  #index(id: Id, record: StoredRecord): void {
    if (!this.#isDense(id, record)) this.#ids.set(id, record);
    if (typeof id !== "number") {
      this.#textIds++;
      return;
    }
    this.#numberIds++;
    if (!Number.isInteger(id)) return;
    if (this.#numberIds === 1) this.#largestId = id;
    else if (this.#largestId !== undefined && id > this.#largestId) this.#largestId = id;
  }

  /** Where the removal of a duplicate is undone, its id is there already: the first is addressable, a later one makes way. */
  #indexInserted(id: Id, record: StoredRecord): void {
    const known = this.#isDense(id, record) ? this.#ids.get(id) : this.get(id);
    if (!known) this.#index(id, record);
    else if (record.slot < known.slot) this.#unindex(known);
  }

  #ownRecords(): StoredRecord[] {
    if (this.#isLent) this.#records = this.#records.slice();
    this.#isLent = false;
    return this.#records;
  }

  /** Of several records with one id the first is addressable; with that one gone, the next is. */
  #indexNext(id: Id): void {
    const key = lookupKey(id);
    const next = this.#records.find((record) => {
      const other = idOf(record.value, this.idKey);
      return other !== undefined && lookupKey(other) === key;
    });
    if (next) this.#index(idOf(next.value, this.idKey)!, next);
  }

  /** Paths that this record has are no longer absent. */
  #noticePaths(record: StoredRecord): void {
    for (const [text, path] of this.#absentPaths) if (hasPath(record.value, path)) this.#absentPaths.delete(text);
  }

  #isDense(id: Id, { slot }: StoredRecord): boolean {
    return slot < this.#denseIds && id === slot + 1;
  }

  /** In its first place as long as nothing before it was removed. */
  #atSlot(slot: number): StoredRecord | undefined {
    const first = this.#records[slot];
    if (first?.slot === slot) return first;
    const found = this.#records[this.#position(slot)];
    return found?.slot === slot ? found : undefined;
  }

  /** The first position whose slot is not below the given one. */
  #position(slot: number): number {
    let low = 0;
    let high = this.#records.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#records[middle]!.slot < slot) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Ids are dense as a rule, so the next largest is a step or two below. */
  #largestBelow(id: number): number | undefined {
    for (let candidate = id - 1; candidate >= id - MAX_STEPS_DOWN; candidate--) {
      const record = this.get(candidate);
      if (record && typeof idOf(record.value, this.idKey) === "number") return candidate;
    }
    return undefined;
  }

  #findLargestId(): number {
    let largest = Number.NEGATIVE_INFINITY;
    for (const record of this.#records) {
      const id = idOf(record.value, this.idKey);
      if (typeof id === "number" && Number.isInteger(id) && id > largest) largest = id;
    }
    return largest;
  }
}

/** How many values from the start have the ids 1, 2, 3 and so on: as a rule, all of them. */
function denseIds(values: readonly Json[], idKey: string): number {
  let count = 0;
  while (count < values.length) {
    const value = values[count];
    if (!isJsonObject(value) || value[idKey] !== count + 1 || !Object.hasOwn(value, idKey)) break;
    count++;
  }
  return count;
}

function unusedRandomId(isTaken: (id: Id) => boolean): string {
  for (;;) {
    const id = randomId();
    if (!isTaken(id)) return id;
  }
}
