import { StandinError } from "../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject, withChange } from "../../base/json/json.ts";
import { atOnce, STEP, type Work } from "../../base/slices.ts";
import { mergeSort } from "../../query/order.ts";
import type { Completion } from "../completion.ts";
import { type Id, idFromBody, idOf, type NewId, newIdFromBody, withId } from "../ids.ts";
import { isTooDeep, tooDeepMessage } from "../nesting.ts";
import { recordNotFound } from "../record-not-found.ts";
import type { Change, Edit, SingleWrite, Transform, ValueEdit } from "../store.ts";
import { StoredRecord } from "../stored-record.ts";

type Creation = Extract<SingleWrite, { kind: "create" }>;
type Removal = Extract<SingleWrite, { kind: "remove" }>;

/** The data that planning reads. A State has all of it; another store fetches the part that a write needs. */
export interface PlannedState {
  readonly version: number;
  collection(name: string): PlannedCollection | undefined;
  singleton(name: string): StoredRecord | undefined;
}

export interface PlannedCollection {
  readonly name: string;
  readonly idKey: string;
  readonly nextSlot: number;
  /** Fills in the parts of records that the server is asked to; undefined for most collections. */
  readonly completion: Completion | undefined;
  /**
   * The records whose `key` refers to this id, in the order of the collection. `isRepeated` says that others were asked
   * for before, so that an index is worth waiting for: throws `PendingRecords` while it is being built.
   */
  referring(key: string, id: string, isRepeated?: boolean): readonly StoredRecord[];
  /** The same with pauses, where all records are at hand. */
  referringInSteps?(key: string, id: string): Work<readonly StoredRecord[]>;
  get(id: Id): StoredRecord | undefined;
  /** The slot for a record that is put back, which had this one; without it, such records go last. */
  placeFor?(slot: number): number;
  /** Generates the ids of one plan, without trying an id twice. */
  newIds(): NewId;
}

/** Plans the change of a write, without applying it. Throws when the write must not happen. */
export function planChange(state: PlannedState, write: SingleWrite): Change {
  const version = state.version + 1;
  switch (write.kind) {
    case "create":
      return atOnce(planCreate(state, write));
    case "replace":
    case "patch":
    case "transform":
      return { version, edits: [planUpdate(plannedCollection(state, write.collection), write, version)] };
    case "rewrite":
      return { version, edits: [planRewrite(plannedCollection(state, write.collection), write, version)] };
    case "return":
      return { version, edits: [planReturn(plannedCollection(state, write.collection), write.record, version)] };
    case "remove":
      return atOnce(planRemove(state, write));
    case "replace-singleton":
    case "patch-singleton":
    case "transform-singleton":
      return { version, edits: [planSingleton(state, write, version)] };
  }
}

/** Plans the change of edits whose records were read in this turn. Appended records keep their order. */
export function planEdits(state: PlannedState, edits: readonly ValueEdit[]): Change {
  const version = state.version + 1;
  const appended = new Map<string, number>();
  const slotOf = ({ name, before }: ValueEdit): number => {
    if (before) return before.slot;
    const slot = appended.get(name) ?? plannedCollection(state, name).nextSlot;
    appended.set(name, slot + 1);
    return slot;
  };
  return {
    version,
    edits: edits.map((edit) => ({
      name: edit.name,
      before: edit.before,
      after: edit.value === undefined ? undefined : new StoredRecord(edit.value, version, slotOf(edit)),
    })),
  };
}

/** Plans the creation of all records or none. Reserves the ids in bodies first, so that new ones are above those. */
export function* planCreate(state: PlannedState, { collection: name, bodies }: Creation): Work<Change> {
  const version = state.version + 1;
  const collection = plannedCollection(state, name);
  const reserved = new Set<string>();
  const isTaken = (id: Id): boolean => reserved.has(String(id)) || collection.get(id) !== undefined;
  let largest = Number.NEGATIVE_INFINITY;
  const reserve = (id: Id): void => {
    reserved.add(String(id));
    if (Number.isInteger(id)) largest = Math.max(largest, Number(id));
  };
  const ids: (Id | undefined)[] = [];
  for (const body of bodies) {
    const id = newIdFromBody(body, collection.idKey);
    if (id !== undefined) {
      if (isTaken(id)) throw idTaken(collection, id);
      reserve(id);
    }
    ids.push(id);
    if (ids.length % STEP === 0) yield;
  }
  const edits: Edit[] = [];
  const newId = collection.newIds();
  for (const [position, body] of bodies.entries()) {
    const id = ids[position] ?? newId(largest, isTaken);
    reserve(id);
    const slot = collection.nextSlot + position;
    const record = withId(body, collection.idKey, id);
    const after = new StoredRecord(collection.completion?.created(record) ?? record, version, slot);
    edits.push({ name: collection.name, before: undefined, after });
    if (edits.length % STEP === 0) yield;
  }
  return edits.length > STEP ? { version, edits, isOrdered: true } : { version, edits };
}

type UpdateWrite = SingleWrite & { kind: "replace" | "patch" | "transform" };

function planUpdate(collection: PlannedCollection, write: UpdateWrite, version: number): Edit {
  const { name, idKey } = collection;
  const before = recordOf(collection, write.id);
  const id = ownId(before, idKey);
  if (write.kind !== "transform" && write.body[idKey] !== id) idFromBody(write.body, idKey);
  write.expect?.(before);
  const value = changed(collection, before, withId(newValue(before, write), idKey, id));
  return { name, before, after: new StoredRecord(value, version, before.slot) };
}

function planRewrite(
  collection: PlannedCollection,
  { before, transform, isExact }: SingleWrite & { kind: "rewrite" },
  version: number,
): Edit {
  const { name, idKey } = collection;
  if (!transform) return { name, before, after: undefined };
  if (isExact) return { name, before, after: new StoredRecord(transform(before.value), version, before.slot) };
  const value = transformed(before, transform);
  const hasId = idOf(before.value, idKey) !== undefined;
  const record = hasId ? withId(value, idKey, ownId(before, idKey)) : value;
  const after = new StoredRecord(changed(collection, before, record), version, before.slot);
  return { name, before, after };
}

function planReturn(collection: PlannedCollection, { value, slot }: StoredRecord, version: number): Edit {
  const id = idOf(value, collection.idKey);
  if (id !== undefined && collection.get(id)) throw idTaken(collection, id);
  const place = collection.placeFor?.(slot) ?? collection.nextSlot;
  const after = new StoredRecord(value, version, place);
  return { name: collection.name, before: undefined, after, isReturn: place < collection.nextSlot };
}

/** The id as it stands in the record. */
function ownId({ value }: StoredRecord, idKey: string): Json {
  return (value as JsonObject)[idKey]!;
}

function changed({ completion }: PlannedCollection, before: StoredRecord, value: JsonObject): JsonObject {
  return completion ? completion.changed(before.value, value) : value;
}

/** The new value of a record, which must be one that could have been sent. */
function transformed({ value }: StoredRecord, transform: Transform): JsonObject {
  const result = transform(value);
  if (!isJsonObject(result)) throw new StandinError("PATCH_INVALID", "A record must stay a JSON object.");
  if (isTooDeep(result)) throw new StandinError("BODY_TOO_DEEP", tooDeepMessage(result, "record"));
  return result;
}

/** Plans the removal of a record with its dependents. */
export function* planRemove(state: PlannedState, write: Removal): Work<Change> {
  const version = state.version + 1;
  const collection = plannedCollection(state, write.collection);
  const removed = recordOf(collection, write.id);
  write.expect?.(removed);
  const edits: Edit[] = [{ name: collection.name, before: removed, after: undefined }];
  // A record is removed once, even if it refers to itself or its collection is named twice.
  const gone = new Set([removed]);
  for (const { collection: name, key } of write.dependents) {
    const dependents = plannedCollection(state, name);
    const found = dependents.referringInSteps?.(key, write.id) ?? dependents.referring(key, write.id);
    for (const record of "next" in found ? yield* found : found) {
      if (gone.has(record)) continue;
      gone.add(record);
      if (edits.push({ name, before: record, after: undefined }) % STEP === 0) yield;
    }
  }
  if (edits.length <= STEP) return { version, edits };
  // From the end: each removal from the front would move all records behind it.
  return { version, edits: yield* mergeSort(edits, bySlotDown), isOrdered: true };
}

function bySlotDown(a: Edit, b: Edit): number {
  return (b.before?.slot ?? 0) - (a.before?.slot ?? 0);
}

type SingletonWrite = SingleWrite & { kind: "replace-singleton" | "patch-singleton" | "transform-singleton" };

function planSingleton(state: PlannedState, write: SingletonWrite, version: number): Edit {
  const before = state.singleton(write.name);
  if (!before) throw new StandinError("ROUTE_NOT_FOUND", `There is no singleton "${write.name}".`);
  write.expect?.(before);
  return { name: write.name, before, after: new StoredRecord(newValue(before, write), version, before.slot) };
}

function newValue(before: StoredRecord, write: UpdateWrite | SingletonWrite): JsonObject {
  switch (write.kind) {
    case "replace":
    case "replace-singleton":
      return write.body;
    case "patch":
    case "patch-singleton":
      return withChange(before.value as JsonObject, write.body);
    case "transform":
    case "transform-singleton":
      return transformed(before, write.transform);
  }
}

export function plannedCollection(state: PlannedState, name: string): PlannedCollection {
  const collection = state.collection(name);
  if (!collection) throw new StandinError("COLLECTION_NOT_FOUND", `There is no collection "${name}".`);
  return collection;
}

function recordOf(collection: PlannedCollection, id: string): StoredRecord {
  const record = collection.get(id);
  if (record) return record;
  throw recordNotFound(collection.name, collection.idKey, id);
}

function idTaken(collection: PlannedCollection, id: Id): StandinError {
  const address = `/${encodeURIComponent(collection.name)}/${encodeURIComponent(id)}`;
  return new StandinError(
    "ID_TAKEN",
    `${collection.name} already has a record with ${collection.idKey} ${JSON.stringify(id)}. ` +
      `Leave "${collection.idKey}" out to get a new one, or PUT ${address} to replace it.`,
  );
}
