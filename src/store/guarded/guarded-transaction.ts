import { StandinError } from "../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject, stringifyJson } from "../../base/json/json.ts";
import { STEP, type Work } from "../../base/slices.ts";
import { equality } from "../../query/operators/eq.ts";
import type { Id } from "../ids.ts";
import { refersTo } from "../key-texts.ts";
import { recordNotFound } from "../record-not-found.ts";
import type { Edit, Match, MayRead, NewIdOptions, Reads, SingleWrite, Transaction } from "../store.ts";
import type { StoredRecord } from "../stored-record.ts";
import { accessDenied, mayReadBy, meetsPermit, type StorePermit } from "./permit.ts";

type Removal = Extract<SingleWrite, { kind: "remove" }>;

interface Guard {
  readonly permit: StorePermit;
  /** The user's id in the type of the users' ids. */
  readonly userId: Id | undefined;
  readonly names: Pick<Reads, "idKeyOf">;
}

/**
 * A transaction as one user sees it: without the records that the user may not read. Refuses writes to records that the
 * user may not write, before and after; a refusal ends the transaction, so that nothing of it is left.
 */
export class GuardedTransaction implements Transaction {
  readonly #data: Transaction;
  readonly #guard: Guard;
  readonly #mayRead: MayRead;

  constructor(data: Transaction, guard: Guard) {
    this.#data = data;
    this.#guard = guard;
    this.#mayRead = mayReadBy(guard.permit);
  }

  *get(collection: string, id: string): Work<StoredRecord | undefined> {
    return this.#seen(collection, yield* this.#data.get(collection, id));
  }

  singleton(name: string): StoredRecord | undefined {
    return this.#seen(name, this.#data.singleton(name));
  }

  matching(collection: string, match: Match): Work<readonly StoredRecord[]> {
    const { read = [], write = [] } = this.#guard.permit.of(collection);
    return this.#data.matching(collection, {
      ...match,
      where: [...match.where, ...read, ...(match.isForWriting ? write : [])],
    });
  }

  newId(collection: string, options: NewIdOptions): Work<Id> {
    return this.#data.newId(collection, options);
  }

  *apply(write: SingleWrite): Work<readonly Edit[]> {
    yield* this.#expectWritable(write);
    if (write.kind === "remove") return yield* this.#remove(write);
    const edits = yield* this.#data.apply({ ...this.#withOwner(write), mayRead: this.#mayRead });
    for (const [position, edit] of edits.entries()) {
      this.#judge(edit);
      if (position % STEP === STEP - 1) yield;
    }
    return edits;
  }

  #seen(name: string, record: StoredRecord | undefined): StoredRecord | undefined {
    return record && meetsPermit(record, this.#guard.permit.of(name).read) ? record : undefined;
  }

  /** Before anything else is looked at: a refusal for another reason would tell that the record is there. */
  *#expectWritable(write: SingleWrite): Work<void> {
    switch (write.kind) {
      case "create":
      case "return":
        return;
      case "rewrite":
        return this.#expect(write.collection, write.before);
      case "replace":
      case "patch":
      case "transform":
      case "remove": {
        const { collection, id } = write;
        const before = yield* this.get(collection, id);
        if (!before) throw recordNotFound(collection, this.#guard.names.idKeyOf(collection), id);
        return this.#expect(collection, before);
      }
      default: {
        const before = this.singleton(write.name);
        if (!before) throw new StandinError("ROUTE_NOT_FOUND", `There is no singleton "${write.name}".`);
        return this.#expect(write.name, before);
      }
    }
  }

  #expect(name: string, record: StoredRecord): void {
    if (meetsPermit(record, this.#guard.permit.of(name).write)) return;
    throw accessDenied(`You may read this record of ${name}, but not change or remove it.`);
  }

  /** New records belong to the user, and replaced ones stay with their owner, unless the body says otherwise. */
  #withOwner(write: SingleWrite): SingleWrite {
    const { permit, userId } = this.#guard;
    if (write.kind === "create") {
      const { owner } = permit.of(write.collection);
      if (owner === undefined || userId === undefined) return write;
      return { ...write, bodies: write.bodies.map((body) => filled(body, owner, userId)) };
    }
    if (write.kind !== "replace") return write;
    const { owner } = permit.of(write.collection);
    if (owner === undefined || Object.hasOwn(write.body, owner)) return write;
    const { lenience, collection, id, body, expect } = write;
    const transform = (current: Json): Json => filled(body, owner, fieldOf(current, owner));
    return { lenience, kind: "transform", collection, id, transform, expect };
  }

  #judge({ name, before, after }: Edit): void {
    if (!after) return;
    const { write, owner, mayNameOwner, fixed } = this.#guard.permit.of(name);
    const change = (field: string): boolean => !isSame(fieldOf(before?.value, field), fieldOf(after.value, field));
    if (owner !== undefined && !mayNameOwner && change(owner)) this.#expectOwn(owner, before, after);
    const field = fixed.find(change);
    if (field !== undefined) throw accessDenied(`Only an admin may set "${field}" of ${name}.`);
    if (meetsPermit(after, write)) return;
    throw accessDenied(
      before
        ? `The record of ${name} would become one that you may not write.`
        : `You may not create this record of ${name}.`,
    );
  }

  #expectOwn(owner: string, before: StoredRecord | undefined, after: StoredRecord): void {
    const { user } = this.#guard.permit;
    const given = fieldOf(after.value, owner);
    if (!before && typeof given !== "object" && user !== undefined && String(given) === user) return;
    throw accessDenied(`"${owner}" names the owner of a record: it is yours alone when you create one, and stays.`);
  }

  /** Dependents that the user may not write stay, as they do for a write by filter. */
  *#remove(write: Removal): Work<readonly Edit[]> {
    const edits = [...(yield* this.#data.apply({ ...write, dependents: [], mayRead: this.#mayRead }))];
    const gone = new Set(edits.map(({ before }) => before));
    for (const { collection, key } of write.dependents) {
      const where = [equality({ text: key, segments: [key] }, [write.id])];
      for (const before of yield* this.matching(collection, { where, search: "", isForWriting: true })) {
        if (gone.has(before) || !refersTo(before.value, { field: key, isList: false }, write.id)) continue;
        gone.add(before);
        edits.push(...(yield* this.#data.apply({ kind: "rewrite", collection, before, mayRead: this.#mayRead })));
        if (edits.length % STEP === 0) yield;
      }
    }
    return edits;
  }
}

function filled(body: JsonObject, field: string, value: Json | undefined): JsonObject {
  return Object.hasOwn(body, field) || value === undefined ? body : { ...body, [field]: value };
}

function fieldOf(value: Json | undefined, field: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, field) ? value[field] : undefined;
}

function isSame(a: Json | undefined, b: Json | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && stringifyJson(a) === stringifyJson(b));
}
