import { isJsonObject, type Json } from "../../base/json/json.ts";
import { atOnce, STEP, type Work } from "../../base/slices.ts";
import { type Id, idOf, lookupKey, withoutUsableId } from "../ids.ts";
import type { StoredRecord } from "../stored-record.ts";
import type { RecordList } from "./record-list.ts";

/** The ids tried below a removed largest one before the whole collection is searched. */
const MAX_STEPS_DOWN = 1000;

/** A fork merges its own entries into a new map when they outgrow this share of the shared one. */
const FOLD_SHARE = 0.25;

/** Stands for the slot of a record that a fork has removed. */
const REMOVED = -1;

interface IdLoadOptions {
  readonly idKey: string;
  readonly warn: (text: string) => void;
}

/**
 * Finds records by id, and generates the next id. Records that were loaded with the ids 1, 2, 3 and so on need no index:
 * their slot is their id minus one. All others are in an index that forks share.
 */
export class RecordIds {
  readonly #idKey: string;
  readonly #records: RecordList;
  #others: IdIndex;
  #dense = 0;
  #numbers = 0;
  #texts = 0;
  #hasDuplicates = false;
  /** The largest integer id; undefined when it must be searched. */
  #largest: number | undefined;

  private constructor(idKey: string, records: RecordList, others: IdIndex) {
    this.#idKey = idKey;
    this.#records = records;
    this.#others = others;
  }

  /** Reads the ids from the values of the records; warns of those that cannot be addressed. */
  static load(records: RecordList, values: readonly Json[], { idKey, warn }: IdLoadOptions): RecordIds {
    const ids = new RecordIds(idKey, records, new IdIndex());
    const last = values.length - 1;
    const hasGaps = last >= 0 && records.slotAt(last) !== last;
    ids.#dense = hasGaps ? 0 : countDense(values, idKey);
    ids.#numbers = ids.#dense;
    if (ids.#dense > 0) ids.#largest = ids.#dense;
    let withoutId = 0;
    let position = ids.#dense - 1;
    for (const value of values.slice(ids.#dense)) {
      position++;
      const id = idOf(value, idKey);
      if (id === undefined) withoutId++;
      else if (ids.#isKnown(id)) {
        ids.#hasDuplicates = true;
        warn(`the ${idKey} ${JSON.stringify(id)} occurs more than once; only the first record has a URL.`);
      } else ids.#add(id, records.slotAt(position));
    }
    if (withoutId > 0) warn(withoutUsableId(withoutId, idKey));
    return ids;
  }

  /** Creates an independent copy for another list of the same records. */
  fork(records: RecordList): RecordIds {
    const fork = new RecordIds(this.#idKey, records, this.#others.fork());
    fork.#dense = this.#dense;
    fork.#numbers = this.#numbers;
    fork.#texts = this.#texts;
    fork.#hasDuplicates = this.#hasDuplicates;
    fork.#largest = this.#largest;
    return fork;
  }

  /** Makes the next fork cheap, with pauses, while nothing changes. */
  fold(): Work<void> {
    return this.#others.fold();
  }

  get(id: Id): StoredRecord | undefined {
    const dense = this.#isDenseKey(id) ? this.#records.withSlot(Number(id) - 1) : undefined;
    return dense ?? this.#other(id);
  }

  #other(id: Id): StoredRecord | undefined {
    const slot = this.#others.get(id);
    return slot === undefined ? undefined : this.#records.withSlot(slot);
  }

  /** Whether an id, or its text, is one of 1, 2, 3 and so on. */
  #isDenseKey(id: Id): boolean {
    const key = Number(id);
    return key >= 1 && key <= this.#dense && Number.isInteger(key) && (key === id || String(key) === id);
  }

  /** As `get`, while ids are loaded: creates no record. */
  #isKnown(id: Id): boolean {
    return this.#isDenseKey(id) || this.#others.get(id) !== undefined;
  }

  /** Whether some records have been loaded with the id of another one. */
  get hasDuplicates(): boolean {
    return this.#hasDuplicates;
  }

  /** Whether each of so many records, which are all, has an id of its own. */
  areOfAll(count: number): boolean {
    return !this.#hasDuplicates && this.#numbers + this.#texts === count;
  }

  /** Whether ids are numbers, for foreign keys that refer to them. */
  get areNumbers(): boolean {
    return this.#numbers > 0 || this.#texts === 0;
  }

  /** The largest integer id + 1, from 1, or a text from `newText` where the ids are texts. Above `promised`, and not taken. */
  next(promised: number, isTaken: (id: Id) => boolean, newText: () => string): Id {
    if (this.#numbers === 0 && this.#texts > 0) return unusedText(isTaken, newText);
    return this.nextNumber(promised, isTaken, newText);
  }

  /** The same, also where the ids are texts so far. */
  nextNumber(promised: number, isTaken: (id: Id) => boolean, newText: () => string): Id {
    if (this.#numbers > 0) this.#largest ??= this.#findLargest();
    const largest = Math.max(promised, this.#largest ?? Number.NEGATIVE_INFINITY);
    let id = largest === Number.NEGATIVE_INFINITY ? 1 : largest + 1;
    // 0 means "no id" in a body, so it is never used; and a record may have the number as a text.
    while (Number.isSafeInteger(id) && (id === 0 || isTaken(id))) id++;
    return Number.isSafeInteger(id) ? id : unusedText(isTaken, newText);
  }

  /** Adds a record. When the removal of a duplicate is undone, its id exists already; then the first one is addressable. */
  inserted(record: StoredRecord): void {
    const id = idOf(record.value, this.#idKey);
    if (id === undefined) return;
    const known = this.#isDense(id, record.slot) ? this.#other(id) : this.get(id);
    if (!known) this.#add(id, record.slot);
    else if (record.slot < known.slot) this.removed(known);
  }

  removed(record: StoredRecord): void {
    const id = idOf(record.value, this.#idKey);
    if (id === undefined) return;
    if (!this.#isDense(id, record.slot)) {
      if (this.#others.get(id) !== record.slot) return;
      this.#others.delete(id);
    }
    if (typeof id === "number") {
      this.#numbers--;
      if (id === this.#largest) this.#largest = this.#numbers > 0 ? this.#largestBelow(id) : undefined;
    } else this.#texts--;
    if (this.#hasDuplicates) this.#addNext(id);
  }

  #add(id: Id, slot: number): void {
    if (!this.#isDense(id, slot)) this.#others.set(id, slot);
    if (typeof id !== "number") {
      this.#texts++;
      return;
    }
    this.#numbers++;
    if (!Number.isInteger(id)) return;
    if (this.#numbers === 1) this.#largest = id;
    else if (this.#largest !== undefined && id > this.#largest) this.#largest = id;
  }

  /** Makes the next record with this id addressable, now that the first one is gone. */
  #addNext(id: Id): void {
    const key = lookupKey(id);
    for (const { value, slot } of this.#records.all) {
      const other = idOf(value, this.#idKey);
      if (other === undefined || lookupKey(other) !== key) continue;
      this.#add(other, slot);
      return;
    }
  }

  #isDense(id: Id, slot: number): boolean {
    return slot < this.#dense && id === slot + 1;
  }

  /** The largest id below this one. Ids are usually dense, so it is a step or two below. */
  #largestBelow(id: number): number | undefined {
    for (let candidate = id - 1; candidate >= id - MAX_STEPS_DOWN; candidate--) {
      const record = this.get(candidate);
      if (record && typeof idOf(record.value, this.#idKey) === "number") return candidate;
    }
    return undefined;
  }

  #findLargest(): number {
    let largest = Number.NEGATIVE_INFINITY;
    for (const record of this.#records.all) {
      const id = idOf(record.value, this.#idKey);
      if (typeof id === "number" && Number.isInteger(id) && id > largest) largest = id;
    }
    return largest;
  }
}

/** The number of leading values with the ids 1, 2, 3 and so on: usually all of them. */
function countDense(values: readonly Json[], idKey: string): number {
  let count = 0;
  for (const value of values) {
    if (!isJsonObject(value) || value[idKey] !== count + 1 || !Object.hasOwn(value, idKey)) break;
    count++;
  }
  return count;
}

/** The first text that is not taken. */
export function unusedText(isTaken: (id: Id) => boolean, newText: () => string): string {
  for (;;) {
    const id = newText();
    if (!isTaken(id)) return id;
  }
}

/**
 * The slots of records by id. Forks share one large map, and each has only its own differences, so forking costs those and
 * not the collection.
 */
class IdIndex {
  #base: ReadonlyMap<Id, number> | undefined;
  /** All entries if there is no base; otherwise the differences. */
  #own = new Map<Id, number>();

  get(id: Id): number | undefined {
    const key = lookupKey(id);
    const slot = this.#own.get(key) ?? this.#base?.get(key);
    return slot === REMOVED ? undefined : slot;
  }

  set(id: Id, slot: number): void {
    this.#own.set(lookupKey(id), slot);
  }

  delete(id: Id): void {
    if (this.#base) this.#own.set(lookupKey(id), REMOVED);
    else this.#own.delete(lookupKey(id));
  }

  /** Creates an independent index with the same entries. */
  fork(): IdIndex {
    atOnce(this.fold());
    const fork = new IdIndex();
    fork.#base = this.#base;
    fork.#own = new Map(this.#own);
    return fork;
  }

  /** Makes the next fork cheap, with pauses, while nothing changes. */
  *fold(): Work<void> {
    if (this.#base && this.#own.size <= this.#base.size * FOLD_SHARE) return;
    this.#base = this.#base ? yield* merged(this.#base, this.#own) : this.#own;
    this.#own = new Map();
  }
}

function* merged(base: ReadonlyMap<Id, number>, own: ReadonlyMap<Id, number>): Work<ReadonlyMap<Id, number>> {
  const all = new Map<Id, number>();
  let count = 0;
  for (const [key, slot] of base) {
    if (!own.has(key)) all.set(key, slot);
    if (++count % STEP === 0) yield;
  }
  for (const [key, slot] of own) {
    if (slot !== REMOVED) all.set(key, slot);
    if (++count % STEP === 0) yield;
  }
  return all;
}
