import { StandinError } from "./errors.ts";
import { isJsonObject, type Json, type JsonObject } from "./json.ts";
import { createProjection } from "./query/fields.ts";
import { conjunctsOf } from "./query/filter.ts";
import { arrangeRows } from "./query/group-rows.ts";
import { parseParameters } from "./query/parameters.ts";
import { EVERYTHING } from "./query/parse-query.ts";
import { type CountedWindow, positionsOf } from "./query/window.ts";
import { isTooDeep, tooDeepMessage } from "./store/nesting.ts";
import { readObject, readQuery } from "./store/read-query.ts";
import type { SingleWrite, Store } from "./store/store.ts";
import type { StoredRecord } from "./store/stored-record.ts";
import { upsert } from "./store/upsert.ts";

/** Typed access to the data of a server for programs. Reads return copies. */
export type Database<D extends object> = {
  readonly [K in keyof D]: MemberAccess<D[K]>;
};

/** A member of unknown type is treated as a collection. */
type MemberAccess<M> = [M] extends [readonly (infer R)[]]
  ? CollectionAccess<R>
  : Json extends M
    ? CollectionAccess<JsonObject>
    : SingletonAccess<M>;

/** A record to create; the server generates a missing id. */
export type NewRecord<R> = Omit<R, "id"> & Partial<Pick<R, keyof R & "id">>;

/** Fields to match, conditions on them, a query string (`"price:gt=10&_sort=price"`), or a predicate. */
export type Where<R> = Conditions<R> | string | ((record: R) => boolean);

/**
 * Fields to match: each by a value, which must be equal, or by operators.
 *
 * @example
 * await db.products.find({ price: { gt: 10, lt: 20 }, or: [{ stock: 0 }, { name: { contains: "lamp" } }] });
 */
export type Conditions<R> = { readonly [K in keyof R]?: R[K] | Operators<Exclude<R[K], undefined>> } & Combinations<R>;

export interface Combinations<R> {
  readonly or?: readonly Conditions<R>[];
  readonly and?: readonly Conditions<R>[];
  readonly not?: Conditions<R>;
}

/** The operators of the query language, as in `price:gt=10`. All of those given must hold. */
export interface Operators<T> {
  readonly eq?: Operand<T>;
  readonly ne?: Operand<T>;
  readonly gt?: Operand<T>;
  readonly gte?: Operand<T>;
  readonly lt?: Operand<T>;
  readonly lte?: Operand<T>;
  readonly in?: readonly Operand<T>[];
  readonly nin?: readonly Operand<T>[];
  readonly like?: string;
  readonly contains?: string;
  readonly startsWith?: string;
  readonly endsWith?: string;
  /** `true`: the field is null or missing. */
  readonly null?: boolean;
}

/** An array meets a condition if one of its elements does. */
type Operand<T> = NonNullable<T> extends readonly (infer E)[] ? E | Extract<T, null> : T;

export interface CollectionAccess<R> {
  /** Finds the matching records; all of them without `where`. */
  find(where?: Where<R>): Promise<R[]>;
  get(id: string | number): Promise<R | undefined>;
  create(record: NewRecord<R>): Promise<R>;
  /** Changes the record with the same id, or the same value of the field `on`; creates it if there is none. */
  upsert(record: NewRecord<R>, options?: UpsertOptions<R>): Promise<R>;
  update(id: string | number, fields: Partial<R>): Promise<R>;
  replace(id: string | number, record: NewRecord<R>): Promise<R>;
  remove(id: string | number): Promise<void>;
}

export interface UpsertOptions<R> {
  /** The field by which records are found; the id unless given. */
  readonly on?: keyof R & string;
  /** Leaves a record that is there as it is. */
  readonly ignore?: boolean;
}

export interface SingletonAccess<T> {
  get(): Promise<T>;
  update(fields: Partial<T>): Promise<T>;
  replace(value: T): Promise<T>;
}

/** Creates the typed access to a store. Resolves names on use: a restored snapshot may have others. */
export function createDatabase<D extends object>(store: Store): Database<D> {
  const members = {
    get: (_target: object, name: string | symbol) => (typeof name === "string" ? memberOf(store, name) : undefined),
  };
  return new Proxy({}, members) as Database<D>;
}

function memberOf(store: Store, name: string): CollectionAccess<unknown> | SingletonAccess<unknown> | undefined {
  switch (store.kindOf(name)) {
    case "collection":
      return new Collection(store, name);
    case "singleton":
      return new Singleton(store, name);
    default:
      return undefined;
  }
}

class Collection implements CollectionAccess<unknown> {
  readonly #store: Store;
  readonly #name: string;

  constructor(store: Store, name: string) {
    this.#store = store;
    this.#name = name;
  }

  async find(where: Where<unknown> = ""): Promise<unknown[]> {
    if (typeof where === "object") return this.#findMatching(where);
    const query = await readQuery(this.#store, this.#name, parseParameters(typeof where === "string" ? where : ""));
    if (query.grouping) {
      const { rows } = await this.#store.group(this.#name, { ...query, grouping: query.grouping });
      const arranged = await arrangeRows(rows, query);
      const { from, to } = positionsOf(query.window as CountedWindow, arranged.length);
      return arranged.slice(from, to).map((row) => structuredClone(row));
    }
    const { records } = await this.#store.find(this.#name, query);
    const values = records.map(copyOf);
    if (typeof where === "function") return values.filter(where as (record: unknown) => boolean);
    const project = query.fields && createProjection(query.fields);
    return project ? values.map((value) => project(value as Json)) : values;
  }

  /** Lets the store apply the conditions that it knows; values that must be equal are compared here, types and all. */
  async #findMatching(where: object): Promise<unknown[]> {
    const { filter, isMet } = await readObject(this.#store, this.#name, where);
    const { records } = await this.#store.find(this.#name, { ...EVERYTHING, where: conjunctsOf(filter) });
    return records.filter(({ value }) => isMet(value)).map(copyOf);
  }

  async get(id: string | number): Promise<unknown> {
    const record = await this.#store.get(this.#name, String(id));
    return record && copyOf(record);
  }

  async create(record: unknown): Promise<unknown> {
    return this.#write({ kind: "create", collection: this.#name, bodies: [bodyOf(record)] });
  }

  async upsert(record: unknown, { on, ignore = false }: UpsertOptions<unknown> = {}): Promise<unknown> {
    const { idKey } = this.#store;
    const resolution = ignore ? "ignore-duplicates" : "merge-duplicates";
    const wish = { collection: this.#name, bodies: [bodyOf(record)], key: on ?? idKey, idKey, resolution } as const;
    let written: StoredRecord | undefined;
    await this.#store.apply({
      kind: "transaction",
      members: [this.#name],
      *run(data) {
        [written] = (yield* upsert(data, wish)).records;
      },
    });
    return copyOf(written as StoredRecord);
  }

  async update(id: string | number, fields: unknown): Promise<unknown> {
    return this.#write({ kind: "patch", collection: this.#name, id: String(id), body: bodyOf(fields) });
  }

  async replace(id: string | number, record: unknown): Promise<unknown> {
    return this.#write({ kind: "replace", collection: this.#name, id: String(id), body: bodyOf(record) });
  }

  async remove(id: string | number): Promise<void> {
    await this.#store.apply({ kind: "remove", collection: this.#name, id: String(id), dependents: [] });
  }

  async #write(write: SingleWrite): Promise<unknown> {
    const { edits } = await this.#store.apply(write);
    return copyOf(edits[0]!.after as StoredRecord);
  }
}

class Singleton implements SingletonAccess<unknown> {
  readonly #store: Store;
  readonly #name: string;

  constructor(store: Store, name: string) {
    this.#store = store;
    this.#name = name;
  }

  async get(): Promise<unknown> {
    return copyOf((await this.#store.singleton(this.#name)) as StoredRecord);
  }

  async update(fields: unknown): Promise<unknown> {
    return this.#write("patch-singleton", fields);
  }

  async replace(value: unknown): Promise<unknown> {
    return this.#write("replace-singleton", value);
  }

  async #write(kind: "patch-singleton" | "replace-singleton", body: unknown): Promise<unknown> {
    const { edits } = await this.#store.apply({ kind, name: this.#name, body: bodyOf(body) });
    return copyOf(edits[0]!.after as StoredRecord);
  }
}

function copyOf(record: StoredRecord): unknown {
  return JSON.parse(record.text);
}

/** Converts a value to JSON by way of text, like a request body, so that it shares nothing with the program. */
function bodyOf(value: unknown): JsonObject {
  if (isTooDeep(value as Json)) throw new StandinError("BODY_TOO_DEEP", tooDeepMessage(value as object, "record"));
  const body: unknown = JSON.parse(JSON.stringify(value ?? null));
  if (isJsonObject(body)) return body;
  throw new StandinError("BODY_NOT_OBJECT", "A record must be an object.");
}
