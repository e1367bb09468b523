import { isDeepStrictEqual } from "node:util";
import { StandinError } from "./errors.ts";
import { isJsonObject, type Json, type JsonObject } from "./json.ts";
import { parseParameters } from "./query/parameters.ts";
import { parseQuery } from "./query/parse-query.ts";
import { isTooDeep, tooDeepMessage } from "./store/nesting.ts";
import type { Store, Write } from "./store/store.ts";
import type { StoredRecord } from "./store/stored-record.ts";

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

/** Fields to match, a query string (`"price_gte=10&_sort=price"`), or a predicate. */
export type Where<R> = Partial<R> | string | ((record: R) => boolean);

export interface CollectionAccess<R> {
  /** Finds the matching records; all of them without `where`. */
  find(where?: Where<R>): Promise<R[]>;
  get(id: string | number): Promise<R | undefined>;
  create(record: NewRecord<R>): Promise<R>;
  update(id: string | number, fields: Partial<R>): Promise<R>;
  replace(id: string | number, record: NewRecord<R>): Promise<R>;
  remove(id: string | number): Promise<void>;
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
    const query = parseQuery(parseParameters(typeof where === "string" ? where : ""));
    const { records } = await this.#store.find(this.#name, query);
    const values = records.map(copyOf);
    if (typeof where === "function") return values.filter(where as (record: unknown) => boolean);
    return typeof where === "string" ? values : values.filter((value) => hasFields(value, where as object));
  }

  async get(id: string | number): Promise<unknown> {
    const record = await this.#store.get(this.#name, String(id));
    return record && copyOf(record);
  }

  async create(record: unknown): Promise<unknown> {
    return this.#write({ kind: "create", collection: this.#name, bodies: [bodyOf(record)] });
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

  async #write(write: Write): Promise<unknown> {
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

function hasFields(value: unknown, fields: object): boolean {
  return isJsonObject(value) && Object.entries(fields).every(([name, field]) => isDeepStrictEqual(value[name], field));
}
