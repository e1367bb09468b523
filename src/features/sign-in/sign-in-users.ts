import { isJsonObject, type Json, type JsonObject, stringifyJson } from "../../base/json/json.ts";
import type { SignInOptions } from "../../layers/sign-in-options.ts";
import { containsOperator } from "../../query/operators/contains.ts";
import { parseQuery } from "../../query/parse-query.ts";
import { parsePath, valueBySegments } from "../../query/path.ts";
import { idOf } from "../../store/ids.ts";
import { slice } from "../../store/slice.ts";
import type { Store } from "../../store/store.ts";
import type { StoredRecord } from "../../store/stored-record.ts";
import { nameIn } from "./unique-names.ts";

/** A record of the users collection, as the issuer knows it. */
export interface IssuedUser {
  readonly id: string;
  readonly name: string;
  readonly claims: JsonObject;
  readonly roles: readonly string[];
  /** Hashed or, in data written by hand, plain; undefined for a user who needs none. */
  readonly password: string | undefined;
  /** The place of the record: a later one with the same id has another. */
  readonly slot: number;
}

/** The most users that the page lists; a search finds the others. */
export const MAX_LISTED_USERS = 200;

/** Finds users among the records of a store. */
export class SignInUsers {
  readonly #store: Store;
  readonly #options: SignInOptions;

  constructor(store: Store, options: SignInOptions) {
    this.#store = store;
    this.#options = options;
  }

  get #isThere(): boolean {
    return this.#store.kindOf(this.#options.users) === "collection";
  }

  async byId(id: string): Promise<IssuedUser | undefined> {
    if (!this.#isThere) return undefined;
    const record = await this.#store.get(this.#options.users, id);
    return record && this.#read(record);
  }

  /** By the name that people know; it must be the name of one user alone. */
  async byName(name: string): Promise<IssuedUser | undefined> {
    if (!this.#isThere || name === "") return undefined;
    const query = parseQuery(new Map([[`${this.#options.name}:eq`, [name]]]));
    const { records } = await this.#store.find(this.#options.users, query);
    const users = records.flatMap((record) => this.#read(record) ?? []).filter((user) => user.name === name);
    return users.length === 1 ? users[0] : undefined;
  }

  /** The first users, or those whose name contains a text; reads no more of them than the page lists. */
  async list(search = ""): Promise<{ readonly users: readonly IssuedUser[]; readonly total: number }> {
    if (!this.#isThere) return { users: [], total: 0 };
    const where = search === "" ? [] : [containsOperator.create(parsePath(this.#options.name), [search], "search")];
    const query = { ...slice(0, MAX_LISTED_USERS), where };
    const { records, total } = await this.#store.find(this.#options.users, query);
    return { users: records.flatMap((record) => this.#read(record) ?? []), total };
  }

  haveSameClaims(one: StoredRecord, other: StoredRecord): boolean {
    const [claims, others] = [one, other].map(({ value }) => stringifyJson(this.#claimsIn(value)));
    return claims === others;
  }

  #claimsIn(record: Json): JsonObject {
    const claims: JsonObject = {};
    for (const [claim, path] of Object.entries(this.#options.claims)) {
      // Access protects the field that the path begins with, so one with the name of the whole path is no claim.
      const value = valueBySegments(record, parsePath(path));
      if (value !== undefined && value !== null) claims[claim] = value;
    }
    return claims;
  }

  #read({ value: record, slot }: StoredRecord): IssuedUser | undefined {
    const { users, name: nameField, password: passwordField } = this.#options;
    if (!isJsonObject(record)) return undefined;
    const id = idOf(record, this.#store.idKeyOf(users));
    const name = nameIn(record, nameField);
    if (id === undefined || name === undefined) return undefined;
    const claims = this.#claimsIn(record);
    const password = passwordField === undefined ? undefined : record[passwordField];
    return {
      id: String(id),
      name,
      claims,
      roles: rolesIn(claims),
      password: typeof password === "string" && password !== "" ? password : undefined,
      slot,
    };
  }
}

/** A single role may stand alone. */
export function rolesIn({ roles }: JsonObject): string[] {
  const list = Array.isArray(roles) ? roles : [roles];
  return list.filter((role) => typeof role === "string");
}
