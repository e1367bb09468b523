import { isJsonObject, type Json, type JsonObject } from "../../src/base/json/json.ts";
import type { BoundCollection, BoundOperation, ParentKey } from "../../src/openapi/bind/binding.ts";
import { askAt } from "../support/api.ts";

/** The records of a running document as they are stored, and the paths that lead to them. */
export class Records {
  readonly #url: string;
  readonly #idKeys: ReadonlyMap<string, string>;

  constructor(url: string, collections: readonly BoundCollection[]) {
    this.#url = url;
    this.#idKeys = new Map(collections.map(({ name, idKey }) => [name, idKey]));
  }

  of({ name }: Pick<BoundCollection, "name">): Promise<readonly JsonObject[]> {
    return this.#stored(name);
  }

  /** Values for the wildcards of a record's path. */
  async pathTo(
    { idKey }: Pick<BoundCollection, "idKey">,
    { parents, keys, idParameter }: BoundOperation,
    record: JsonObject,
  ): Promise<ReadonlyMap<string, string>> {
    const path = new Map<string, string>();
    const set = (parameter: string, value: Json | undefined): void => {
      if (typeof value === "string" || typeof value === "number") path.set(parameter, String(value));
    };
    for (const parent of parents) set(parent.parameter, await this.#parentOf(parent, record));
    for (const { parameter, path: names } of keys) set(parameter, at(record, names));
    if (idParameter !== undefined) set(idParameter, record[idKey]);
    return path;
  }

  /** Values for the wildcards of a list or of a create: parents that exist, of a record where there is one. */
  async pathFor(collection: BoundCollection, bound: BoundOperation): Promise<ReadonlyMap<string, string>> {
    if (bound.parents.length === 0) return new Map();
    const records = await this.#stored(collection.name);
    for (const record of records) {
      if (await this.#hasParents(bound, record)) return this.pathTo(collection, bound, record);
    }
    return this.pathTo(collection, bound, {});
  }

  async #hasParents({ parents }: BoundOperation, record: JsonObject): Promise<boolean> {
    for (const parent of parents) {
      if (parent.collection === undefined || parent.isOfAll) continue;
      if (!(await this.#ids(parent.collection)).includes(String(fieldOf(parent, record)))) return false;
    }
    return true;
  }

  /** The parent that a record names, else any. */
  async #parentOf(parent: ParentKey, record: JsonObject): Promise<Json | undefined> {
    const named = parent.isOfAll ? undefined : fieldOf(parent, record);
    return named ?? (parent.collection === undefined ? undefined : (await this.#ids(parent.collection))[0]);
  }

  async #ids(collection: string): Promise<string[]> {
    const idKey = this.#idKeys.get(collection) ?? "id";
    return (await this.#stored(collection)).map((one) => String(one[idKey]));
  }

  /** By standin's own route: the document may have one of the same path. */
  async #stored(name: string): Promise<readonly JsonObject[]> {
    const headers = { "x-standin-routes": "own" };
    const { body } = await askAt(this.#url, `GET /${encodeURIComponent(name)}`, { headers });
    return Array.isArray(body) ? body.filter(isJsonObject) : [];
  }
}

function fieldOf({ holder, field }: ParentKey, record: JsonObject): Json | undefined {
  return at(record, holder === undefined ? [field] : [holder, field]);
}

/** The value that property names lead to. */
export function at(body: unknown, path: readonly string[] | undefined): Json | undefined {
  let found = body as Json | undefined;
  for (const name of path ?? []) found = isJsonObject(found) ? found[name] : undefined;
  return found;
}
