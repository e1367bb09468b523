import { isJsonObject, type Json } from "../../json.ts";
import { hasPath, type Path } from "../../query/path.ts";
import { type Id, type NewId, randomId, seededId } from "../ids.ts";
import { positionOf, StoredRecord } from "../stored-record.ts";
import { HeldFields } from "./held-fields.ts";
import { IndexSet, MIN_INDEXED_RECORDS } from "./indexes/index-set.ts";
import { RecordIds } from "./record-ids.ts";

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
  readonly #ids: RecordIds;
  #nextSlot: number;
  /** Paths known to lead nowhere, so that a parameter nobody has is not looked for in every record again. */
  readonly #absentPaths: Map<string, Path>;
  /** Made when a field is first looked for. */
  #heldFields: HeldFields | undefined;
  #indexes: IndexSet;
  readonly #minIndexed: number;
  readonly #seed: number | undefined;

  private constructor(records: StoredRecord[], facts: CollectionFacts) {
    this.name = facts.name;
    this.idKey = facts.idKey;
    this.version = facts.version;
    this.#records = records;
    this.#nextSlot = facts.nextSlot;
    this.#absentPaths = new Map(facts.absentPaths);
    this.#minIndexed = facts.minIndexed;
    this.#seed = facts.seed;
    this.#ids = facts.createIds(() => this.#records);
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
    seed?: number,
  ): Collection {
    const records = values.map((value, slot) => new StoredRecord(value, version, slot));
    return new Collection(records, {
      name,
      idKey,
      version,
      minIndexed,
      seed,
      nextSlot: records.length,
      absentPaths: new Map(),
      createIds: (present) => RecordIds.load(idKey, present, (text) => warn(`${name}: ${text}`)),
    });
  }

  /** A copy that can be written to: one pointer per record, and the ids shared. */
  clone(takesIndexes = true): Collection {
    const clone = new Collection(this.#records.slice(), {
      name: this.name,
      idKey: this.idKey,
      version: this.version,
      minIndexed: this.#minIndexed,
      seed: this.#seed,
      nextSlot: this.#nextSlot,
      absentPaths: this.#absentPaths,
      createIds: (present) => this.#ids.fork(present),
    });
    if (!takesIndexes) return clone;
    // Whoever writes is whoever is asked: the indexes go along, and what stays behind makes its own if it needs any.
    const empty = clone.#indexes;
    clone.#indexes = this.#indexes.moveTo(
      () => clone.#records,
      () => clone.lend(),
    );
    this.#indexes = empty.moveTo(
      () => this.#records,
      () => this.lend(),
    );
    return clone;
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
    return this.#ids.get(id);
  }

  /** The type that ids of this collection have, for keys that refer to it. */
  get hasNumberIds(): boolean {
    return this.#ids.areNumbers;
  }

  /** How many slots have been given away; the next record gets this one. */
  get nextSlot(): number {
    return this.#nextSlot;
  }

  /** Ids for new records that are created together, each above `promised` and none of those that are taken. */
  newIds(): NewId {
    const newText = this.#textIds();
    return (promised, isTaken) => this.#ids.next(promised, isTaken, newText);
  }

  /** By its slot, where there is a seed: neither other collections nor other sandboxes have a part in it. */
  #textIds(): () => string {
    const seed = this.#seed;
    let tries = 0;
    if (seed === undefined) return () => randomId();
    return () => seededId(seed, `${this.name}/${this.#nextSlot}/${tries++}`);
  }

  /** Puts a record where its slot belongs: last, unless a removal is being undone. Gives back its position. */
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
    this.#noticePaths(record);
    this.#heldFields?.written(undefined, record);
    this.#indexes.insert(record);
    return position;
  }

  /** Both have the same id and slot. Gives back their position. */
  replace(before: StoredRecord, after: StoredRecord): number {
    const records = this.#ownRecords();
    const position = positionOf(records, before.slot);
    records[position] = after;
    this.#ids.replaced(after);
    this.#noticePaths(after);
    this.#heldFields?.written(before, after);
    this.#indexes.replace(before, after);
    return position;
  }

  /** Gives back the position it had. */
  remove(record: StoredRecord): number {
    const records = this.#ownRecords();
    const position = positionOf(records, record.slot);
    records.splice(position, 1);
    this.#ids.removed(record);
    this.#heldFields?.written(record, undefined);
    this.#indexes.remove(record);
    return position;
  }

  /** Whether any record has a value, be it null, at this path. Touches one record in the common case. */
  hasPath(path: Path): boolean {
    if (this.#absentPaths.has(path.text)) return false;
    if (this.#records.some((record) => hasPath(record.value, path))) return true;
    if (this.#absentPaths.size < MAX_ABSENT_PATHS) this.#absentPaths.set(path.text, path);
    return false;
  }

  /** Whether any record holds this field. Nothing is looked for again before a write has changed that. */
  holds(field: string): boolean {
    this.#heldFields ??= new HeldFields();
    return this.#heldFields.has(field, this.#records);
  }

  /** The field names of the first record: what a message offers when a field is unknown. */
  fieldNames(): string[] {
    const first = this.#records[0]?.value;
    return isJsonObject(first) ? Object.keys(first) : [];
  }

  #ownRecords(): StoredRecord[] {
    if (this.#isLent) this.#records = this.#records.slice();
    this.#isLent = false;
    return this.#records;
  }

  /** Paths that this record has are no longer absent. */
  #noticePaths(record: StoredRecord): void {
    for (const [text, path] of this.#absentPaths) if (hasPath(record.value, path)) this.#absentPaths.delete(text);
  }
}

/** What a new collection starts from. */
interface CollectionFacts {
  readonly name: string;
  readonly idKey: string;
  readonly version: number;
  readonly minIndexed: number;
  readonly seed: number | undefined;
  readonly nextSlot: number;
  readonly absentPaths: ReadonlyMap<string, Path>;
  readonly createIds: (records: () => readonly StoredRecord[]) => RecordIds;
}
