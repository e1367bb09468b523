import { SLOW_STEP, STEP, settled, type Work } from "../base/slices.ts";
import { metered } from "../base/work-account.ts";
import { isSlow, meets } from "../query/filter.ts";
import { mergeSort } from "../query/order.ts";
import { contains } from "../query/search.ts";
import type { Completion } from "./completion.ts";
import { type Id, idOf, lookupKey, type NewId } from "./ids.ts";
import { keyTexts } from "./key-texts.ts";
import { type PlannedCollection, type PlannedState, planChange, plannedCollection } from "./memory/plan-change.ts";
import { type JudgedCollection, PendingRecords, type RecordRules } from "./record-rules.ts";
import type { Change, Edit, Key, Match, NewIdOptions, SingleWrite, Transaction } from "./store.ts";
import type { StoredRecord } from "./stored-record.ts";
import { editedRecord, freeSlot } from "./stored-record.ts";

/** The data that a transaction begins with. */
export interface TransactionBase extends PlannedState {
  collection(name: string): BaseCollection | undefined;
  matching(collection: string, match: Match): Work<readonly StoredRecord[]>;
}

export interface BaseCollection extends PlannedCollection, JudgedCollection {}

/** Fetches the records that planning missed, to be tried again then. Throws everything else that was thrown. */
export type FetchMissing = (thrown: unknown) => Promise<void>;

/** The changes of a transaction, laid over the data that it begins with. Nothing reaches the data itself. */
export class PlannedTransaction implements Transaction, PlannedState {
  readonly version: number;
  readonly #base: TransactionBase;
  readonly #fetchMissing: FetchMissing | undefined;
  readonly #rules: RecordRules | undefined;
  readonly #collections = new Map<string, OverlaidCollection>();
  readonly #singletons = new Map<string, Edit>();

  /** Without `fetchMissing`, the base has all data at hand. */
  constructor(base: TransactionBase, rules: RecordRules | undefined, fetchMissing?: FetchMissing) {
    this.#base = base;
    this.#rules = rules;
    this.#fetchMissing = fetchMissing;
    this.version = base.version;
  }

  collection(name: string): OverlaidCollection | undefined {
    const known = this.#collections.get(name);
    if (known) return known;
    const base = this.#base.collection(name);
    if (!base) return undefined;
    const overlaid = new OverlaidCollection(base);
    this.#collections.set(name, overlaid);
    return overlaid;
  }

  singleton(name: string): StoredRecord | undefined {
    return this.#singletons.get(name)?.after ?? this.#base.singleton(name);
  }

  *get(collection: string, id: string): Work<StoredRecord | undefined> {
    for (;;) {
      try {
        return this.collection(collection)?.get(id);
      } catch (thrown) {
        yield* this.#fetch(thrown);
      }
    }
  }

  *matching(collection: string, match: Match): Work<readonly StoredRecord[]> {
    const overlaid = this.collection(collection);
    if (!overlaid) return [];
    for (;;) {
      try {
        return yield* overlaid.matching(match, yield* this.#base.matching(collection, match));
      } catch (thrown) {
        yield* this.#fetch(thrown);
      }
    }
  }

  *apply(write: SingleWrite): Work<readonly Edit[]> {
    for (;;) {
      try {
        const { edits } = planChange(this, write);
        const judging = this.#rules?.judge(this, edits, write);
        if (judging) yield* judging;
        for (const edit of edits) this.#note(edit);
        return edits;
      } catch (thrown) {
        yield* this.#fetch(thrown);
      }
    }
  }

  *newId(name: string, { above, isReserved }: NewIdOptions): Work<Id> {
    const collection = plannedCollection(this, name);
    for (;;) {
      try {
        return collection.newIds()(above, (id) => isReserved(id) || collection.get(id) !== undefined);
      } catch (thrown) {
        yield* this.#fetch(thrown);
      }
    }
  }

  /** The number of records that were written. */
  get size(): number {
    let size = this.#singletons.size;
    for (const collection of this.#collections.values()) size += collection.size;
    return size;
  }

  /** All changes as one. */
  *change(): Work<Change> {
    const edits = [...this.#singletons.values()];
    for (const collection of this.#collections.values()) yield* collection.addEdits(edits);
    return { version: this.version + 1, edits, isOrdered: true };
  }

  *#fetch(thrown: unknown): Work<void> {
    if (thrown instanceof PendingRecords) return void (yield* settled(thrown.done));
    if (!this.#fetchMissing) throw thrown;
    yield* settled(this.#fetchMissing(thrown));
  }

  #note(edit: Edit): void {
    const collection = this.collection(edit.name);
    if (collection) collection.note(edit);
    else this.#singletons.set(edit.name, { ...edit, before: this.#singletons.get(edit.name)?.before ?? edit.before });
  }
}

class OverlaidCollection implements BaseCollection {
  readonly name: string;
  readonly idKey: string;
  readonly completion: Completion | undefined;
  nextSlot: number;
  readonly #base: BaseCollection;
  /** Of each record that was written, its first and its last state. */
  readonly #bySlot = new Map<number, Edit>();
  /** Made by the first search for an id: most large transactions need none. */
  #byId: Map<Id, StoredRecord | undefined> | undefined;
  /** Of each field that was asked for: the written records by the texts that they have there. */
  readonly #held = new Map<string, HeldTexts>();
  /** The keys by which dependents were asked for. */
  readonly #referred = new Set<string>();
  #newId: NewId | undefined;
  #largest = Number.NEGATIVE_INFINITY;

  constructor(base: BaseCollection) {
    this.#base = base;
    this.name = base.name;
    this.idKey = base.idKey;
    this.completion = base.completion;
    this.nextSlot = base.nextSlot;
  }

  get size(): number {
    return this.#bySlot.size;
  }

  get(id: Id): StoredRecord | undefined {
    if (this.#bySlot.size === 0) return this.#base.get(id);
    this.#byId ??= this.#writtenById();
    const key = lookupKey(id);
    return this.#byId.has(key) ? this.#byId.get(key) : this.#base.get(id);
  }

  placeFor(slot: number): number {
    const place = this.#base.placeFor?.(slot) ?? this.nextSlot;
    if (place >= this.#base.nextSlot) return this.nextSlot;
    return freeSlot(place, this.nextSlot, (one) => this.#bySlot.has(one));
  }

  newIds(): NewId {
    // One for the whole transaction, so that no text is tried twice.
    this.#newId ??= this.#base.newIds();
    const newId = this.#newId;
    return (promised, isTaken) => newId(Math.max(promised, this.#largest), isTaken);
  }

  referring(key: string, id: string): readonly StoredRecord[] {
    // The first search is a scan; the next ones are worth an index.
    const found = this.#base.referring(key, id, this.#referred.has(key));
    this.#referred.add(key);
    if (this.#bySlot.size === 0) return found;
    const unchanged = found.filter(({ slot }) => !this.#bySlot.has(slot));
    const written = this.#writtenWith({ field: key, isList: false }, [id]);
    return written.length === 0 ? unchanged : [...unchanged, ...written].sort((a, b) => a.slot - b.slot);
  }

  existing(ids: readonly string[]): ReadonlySet<string> {
    if (this.#bySlot.size === 0) return this.#base.existing(ids);
    this.#byId ??= this.#writtenById();
    const written = this.#byId;
    const existing = new Set(this.#base.existing(ids.filter((id) => !written.has(lookupKey(id)))));
    for (const id of ids) if (written.get(lookupKey(id))) existing.add(id);
    return existing;
  }

  holding(field: string, texts: readonly string[]): readonly StoredRecord[] {
    const found = this.#base.holding(field, texts);
    if (this.#bySlot.size === 0) return found;
    const written = this.#writtenWith({ field, isList: true }, texts);
    return [...found.filter(({ slot }) => !this.#bySlot.has(slot)), ...written];
  }

  /** The written records whose key has one of these texts. */
  #writtenWith(key: Key, texts: readonly string[]): StoredRecord[] {
    const name = `${key.isList} ${key.field}`;
    let held = this.#held.get(name);
    if (!held) {
      held = new HeldTexts(({ value }) => keyTexts(value, key));
      this.#held.set(name, held);
      for (const edit of this.#bySlot.values()) held.note(undefined, edit.after);
    }
    const slots = new Set<number>();
    for (const text of texts) for (const slot of held.slotsOf(text)) slots.add(slot);
    return [...slots].flatMap((slot) => this.#bySlot.get(slot)?.after ?? []);
  }

  /** The records that match now, given those of the base that did. */
  *matching(match: Match, found: readonly StoredRecord[]): Work<readonly StoredRecord[]> {
    return this.#bySlot.size === 0 ? found : yield* metered(this.#overlaid(found, match), match.account);
  }

  note(edit: Edit): void {
    const { before, after } = edit;
    const { slot, value } = editedRecord(edit);
    const known = this.#bySlot.get(slot);
    for (const held of this.#held.values()) held.note(known?.after, after);
    this.#bySlot.set(slot, known ? { ...known, after } : edit);
    if (before && !this.#byId) return;
    const id = idOf(value, this.idKey);
    if (id !== undefined) this.#byId?.set(lookupKey(id), after);
    if (before) return;
    this.nextSlot = Math.max(this.nextSlot, slot + 1);
    if (Number.isInteger(id)) this.#largest = Math.max(this.#largest, Number(id));
  }

  /**
   * Adds one edit for each record: replacements, then removals from the end, then new ones, so that no position depends
   * on another.
   */
  *addEdits(edits: Edit[]): Work<void> {
    const removed: Edit[] = [];
    const created: Edit[] = [];
    let hasReturned = false;
    let count = 0;
    for (const edit of this.#bySlot.values()) {
      if (edit.before) (edit.after ? edits : removed).push(edit);
      else if (edit.after) created.push(edit);
      hasReturned ||= edit.isReturn ?? false;
      if (++count % STEP === 0) yield;
    }
    const fromTheEnd = removed.length < 2 ? removed : yield* mergeSort(removed, bySlotDown);
    // Slots are given in turn, so new records are in order, unless some have their former ones.
    const inOrder = hasReturned ? yield* mergeSort(created, bySlotUp) : created;
    for (const sorted of [fromTheEnd, inOrder]) for (const edit of sorted) edits.push(edit);
  }

  #writtenById(): Map<Id, StoredRecord | undefined> {
    const byId = new Map<Id, StoredRecord | undefined>();
    for (const { before, after } of this.#bySlot.values()) {
      // A record that was both created and removed has left nothing.
      const record = after ?? before;
      const id = record && idOf(record.value, this.idKey);
      if (id !== undefined) byId.set(lookupKey(id), after);
    }
    return byId;
  }

  *#overlaid(found: readonly StoredRecord[], match: Match): Work<readonly StoredRecord[]> {
    const step = match.where.some(isSlow) ? SLOW_STEP : STEP;
    const matching: StoredRecord[] = [];
    let count = 0;
    for (const record of found) {
      if (!this.#bySlot.has(record.slot)) matching.push(record);
      if (++count % STEP === 0) yield;
    }
    for (const { after } of this.#bySlot.values()) {
      if (after && isMatch(after, match)) matching.push(after);
      if (++count % step === 0) yield;
    }
    return yield* mergeSort(matching, (a, b) => a.slot - b.slot);
  }
}

function bySlotDown(a: Edit, b: Edit): number {
  return (b.before?.slot ?? 0) - (a.before?.slot ?? 0);
}

function bySlotUp(a: Edit, b: Edit): number {
  return (a.after?.slot ?? 0) - (b.after?.slot ?? 0);
}

/** Whether a record meets all filters and contains the search text. */
export function isMatch({ value }: StoredRecord, { where, search }: Match): boolean {
  if (search !== "" && !(typeof value === "object" && contains(value, search))) return false;
  return where.every((filter) => meets(value, filter));
}

type TextsOf = (record: StoredRecord) => readonly string[];

/** The slots of records by the texts that they have in one field. */
class HeldTexts {
  readonly #textsOf: TextsOf;
  readonly #slots = new Map<string, Set<number>>();

  constructor(textsOf: TextsOf) {
    this.#textsOf = textsOf;
  }

  /** Follows a change; either state may be missing. */
  note(before: StoredRecord | undefined, after: StoredRecord | undefined): void {
    if (before) for (const text of this.#textsOf(before)) this.#slots.get(text)?.delete(before.slot);
    if (!after) return;
    for (const text of this.#textsOf(after)) {
      const slots = this.#slots.get(text);
      if (slots) slots.add(after.slot);
      else this.#slots.set(text, new Set([after.slot]));
    }
  }

  slotsOf(text: string): Iterable<number> {
    return this.#slots.get(text) ?? [];
  }
}
