import { isDeepStrictEqual } from "../../../src/base/json/equality.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../src/base/json/json.ts";
import type { Change, Edit } from "./change.ts";

/** The records of a chunk: what a first write to a fork copies. */
const CHUNK = 1024;
/** Ids are spread over buckets, so that a write copies one of them and not the ids of all records. */
const PER_BUCKET = 1024;

/** A record with its place in the collection, which it keeps for life. */
export interface Slotted {
  readonly slot: number;
  readonly value: Json;
}

export type Id = string | number;

/** An edit that does not fit the data: its record is not as the edit says it was. */
export class Misfit extends Error {}

/** Everything that is served in one scope at one position. Immutable: a change makes another one, which shares the rest. */
export interface Data {
  readonly members: ReadonlyMap<string, Member>;
}

export type Member = Collection | Singleton;

export interface Singleton {
  readonly type: "singleton";
  readonly record: Slotted;
}

/** The records of a collection in the order of their slots, found by slot or by id. */
export class Collection {
  static readonly EMPTY = new Collection([], [new Map()], { size: 0, nextSlot: 0 });
  readonly type = "collection";
  readonly size: number;
  readonly nextSlot: number;
  readonly #chunks: readonly (readonly Slotted[])[];
  /** The slots of ids, by the text of the id; 1 and "1" are one id. */
  readonly #buckets: readonly ReadonlyMap<string, number>[];

  private constructor(
    chunks: readonly (readonly Slotted[])[],
    buckets: readonly ReadonlyMap<string, number>[],
    counts: { readonly size: number; readonly nextSlot: number },
  ) {
    this.#chunks = chunks;
    this.#buckets = buckets;
    this.size = counts.size;
    this.nextSlot = counts.nextSlot;
  }

  static of(values: Iterable<Json>): Collection {
    const chunks: Slotted[][] = [];
    let slot = 0;
    for (const value of values) {
      if (slot % CHUNK === 0) chunks.push([]);
      chunks.at(-1)!.push({ slot: slot++, value });
    }
    return slot === 0
      ? Collection.EMPTY
      : new Collection(chunks, bucketsOf(chunks, slot), { size: slot, nextSlot: slot });
  }

  get(id: Id): Slotted | undefined {
    const text = String(id);
    const slot = this.#buckets[bucketOf(text, this.#buckets.length)]?.get(text);
    return slot === undefined ? undefined : this.at(slot);
  }

  at(slot: number): Slotted | undefined {
    const chunk = this.#chunks[this.#chunkOf(slot)];
    const record = chunk?.[placeIn(chunk, slot)];
    return record?.slot === slot ? record : undefined;
  }

  *[Symbol.iterator](): IterableIterator<Slotted> {
    for (const chunk of this.#chunks) yield* chunk;
  }

  /** The collection with this record in its place; without a value, without the record. */
  with(slot: number, value: Json | undefined): Collection {
    const number = this.#chunkOf(slot);
    const chunk = [...(this.#chunks[number] ?? [])];
    const place = placeIn(chunk, slot);
    const before = chunk[place]?.slot === slot ? chunk[place] : undefined;
    if (value === undefined) chunk.splice(place, 1);
    else chunk.splice(place, before ? 1 : 0, { slot, value });
    const chunks = this.#chunks.slice();
    if (chunk.length <= CHUNK) chunks.splice(number, 1, ...(chunk.length > 0 ? [chunk] : []));
    else chunks.splice(number, 1, chunk.slice(0, -1), chunk.slice(-1));
    const size = this.size + (value === undefined ? 0 : 1) - (before ? 1 : 0);
    return new Collection(chunks, this.#bucketsWith(before?.value, value, { slot, size, chunks }), {
      size,
      nextSlot: Math.max(this.nextSlot, Math.floor(slot) + 1),
    });
  }

  #bucketsWith(
    before: Json | undefined,
    after: Json | undefined,
    { slot, size, chunks }: { slot: number; size: number; chunks: readonly (readonly Slotted[])[] },
  ): readonly ReadonlyMap<string, number>[] {
    const former = idText(before);
    const id = idText(after);
    if (former === id) return this.#buckets;
    if (size > 2 * PER_BUCKET * this.#buckets.length) return bucketsOf(chunks, size);
    const buckets = this.#buckets.slice();
    const change = (text: string, edit: (bucket: Map<string, number>) => void): void => {
      const number = bucketOf(text, buckets.length);
      const bucket = new Map(buckets[number]);
      edit(bucket);
      buckets[number] = bucket;
    };
    if (former !== undefined) change(former, (bucket) => bucket.delete(former));
    if (id !== undefined) change(id, (bucket) => bucket.set(id, slot));
    return buckets;
  }

  /** The last chunk that begins at the slot or before it. */
  #chunkOf(slot: number): number {
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#chunks[middle]![0]!.slot <= slot) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

function placeIn(chunk: readonly Slotted[], slot: number): number {
  let low = 0;
  let high = chunk.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (chunk[middle]!.slot < slot) low = middle + 1;
    else high = middle;
  }
  return low;
}

function idText(value: Json | undefined): string | undefined {
  const id = isJsonObject(value) ? value.id : undefined;
  return typeof id === "string" || typeof id === "number" ? String(id) : undefined;
}

function bucketOf(text: string, count: number): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (hash * 31 + text.charCodeAt(at)) | 0;
  return (hash >>> 0) % count;
}

function bucketsOf(chunks: readonly (readonly Slotted[])[], size: number): ReadonlyMap<string, number>[] {
  const buckets = Array.from({ length: Math.ceil(size / PER_BUCKET) }, () => new Map<string, number>());
  for (const { slot, value } of chunks.flat()) {
    const text = idText(value);
    if (text !== undefined) buckets[bucketOf(text, buckets.length)]!.set(text, slot);
  }
  return buckets;
}

/** The data after a change. Throws a `Misfit` where an edit does not fit: the data are not those that it was made for. */
export function afterChange(data: Data, { edits }: Pick<Change, "edits">): Data {
  if (edits.length === 0) return data;
  const members = new Map(data.members);
  for (const edit of edits) applyEdit(members, edit);
  return { members };
}

function applyEdit(members: Map<string, Member>, edit: Edit): void {
  const member = members.get(edit.member);
  switch (edit.kind) {
    case "member created":
      if (member) throw new Misfit(`there is a member "${edit.member}"`);
      members.set(
        edit.member,
        edit.type === "collection" ? Collection.EMPTY : { type: "singleton", record: { slot: 0, value: {} } },
      );
      return;
    case "member removed":
      if (!members.delete(edit.member)) throw new Misfit(`there is no member "${edit.member}"`);
      return;
    case "member renamed": {
      if (!member || members.has(edit.to)) throw new Misfit(`"${edit.member}" cannot become "${edit.to}"`);
      const renamed = [...members].map(([name, one]) => [name === edit.member ? edit.to : name, one] as const);
      members.clear();
      for (const [name, one] of renamed) members.set(name, one);
      return;
    }
    default:
      if (!member) throw new Misfit(`there is no member "${edit.member}"`);
      members.set(edit.member, withEdit(member, edit));
  }
}

type RecordEdit = Extract<Edit, { slot: number }>;

function withEdit(member: Member, edit: RecordEdit): Member {
  const present = member.type === "singleton" ? member.record : member.at(edit.slot);
  const value = valueAfter(present?.value, edit);
  if (member.type === "collection") return member.with(edit.slot, value);
  if (value === undefined) throw new Misfit(`the singleton "${edit.member}" cannot be removed alone`);
  return { type: "singleton", record: { slot: 0, value } };
}

function valueAfter(present: Json | undefined, edit: RecordEdit): Json | undefined {
  const misfit = (): Misfit => new Misfit(`${edit.member}, slot ${edit.slot}: not as it was before "${edit.kind}"`);
  if (edit.kind === "created") {
    if (present !== undefined) throw misfit();
    return edit.after;
  }
  if (present === undefined) throw misfit();
  if (edit.kind === "removed") {
    if (!isDeepStrictEqual(present, edit.before)) throw misfit();
    return undefined;
  }
  if (!isJsonObject(present)) throw misfit();
  const changed: JsonObject = { ...present };
  for (const name of Object.keys(edit.before)) {
    if (!isDeepStrictEqual(present[name], edit.before[name])) throw misfit();
    if (!Object.hasOwn(edit.after, name)) delete changed[name];
  }
  for (const [name, value] of Object.entries(edit.after)) {
    if (!Object.hasOwn(edit.before, name) && Object.hasOwn(present, name)) throw misfit();
    changed[name] = value;
  }
  return changed;
}
