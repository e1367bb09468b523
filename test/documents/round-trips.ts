import { isJsonObject, type Json, type JsonObject } from "../../src/base/json/json.ts";
import type { Action, BoundCollection, BoundOperation } from "../../src/openapi/bind/binding.ts";
import type { Answer } from "../support/api.ts";
import type { Client } from "./client.ts";
import { at, Records } from "./records.ts";
import { walk } from "./walk.ts";

export interface RoundTrips {
  tried: number;
  passed: number;
  /** Those that no request could be made for that meets the document. */
  impossible: number;
  walks: number;
  walked: number;
  /** Lists that send no first page. */
  closed: number;
  readonly failures: string[];
}

/**
 * Creates, reads, lists, changes and removes a record of each bound collection that offers it, as a client of the
 * document would, and walks each list to its end.
 */
export async function tryRoundTrips(
  url: string,
  client: Client,
  collections: readonly BoundCollection[],
  { keepsOthers = false } = {},
): Promise<RoundTrips> {
  const trips: RoundTrips = { tried: 0, passed: 0, impossible: 0, walks: 0, walked: 0, closed: 0, failures: [] };
  const records = new Records(url, collections);
  // Children first: a trip ends with the removal of a record, which may be their parent.
  const nesting = ({ operations }: BoundCollection): number => Math.max(...operations.map((one) => one.parents.length));
  for (const collection of [...collections].sort((a, b) => nesting(b) - nesting(a))) {
    for (const list of collection.operations.filter(({ action }) => action === "list")) {
      const { end, why } = await walk(client, collection, list, await records.pathFor(collection, list));
      if (end === "closed") trips.closed++;
      else trips.walks++;
      if (end === "walked") trips.walked++;
      else trips.failures.push(`${collection.name}: walk: ${list.operation.path.text}: ${end}: ${why}`);
    }
    if (!collection.operations.some(({ action }) => action === "list")) continue;
    client.unsendable = undefined;
    const why = await new Trip(client, records, collection, keepsOthers).run();
    if (why !== undefined && client.unsendable !== undefined) {
      trips.impossible++;
      trips.failures.push(`${collection.name}: trip: no request: ${client.unsendable}`);
      continue;
    }
    trips.tried++;
    if (why === undefined) trips.passed++;
    else trips.failures.push(`${collection.name}: trip: ${why}`);
  }
  return trips;
}

/** One record's life. Each step gives why it failed. */
class Trip {
  readonly #client: Client;
  readonly #records: Records;
  readonly #collection: BoundCollection;
  /** Whether records that the trip has not created stay. */
  readonly #keepsOthers: boolean;

  constructor(client: Client, records: Records, collection: BoundCollection, keepsOthers: boolean) {
    this.#client = client;
    this.#records = records;
    this.#collection = collection;
    this.#keepsOthers = keepsOthers;
  }

  async run(): Promise<string | undefined> {
    const [create, list] = [this.#of("create"), this.#of("list")!];
    const before = await this.#records.of(this.#collection);
    const listed = await this.#ask(list, await this.#records.pathFor(this.#collection, list));
    if (listed.status >= 300) return `list: ${brief(listed)}`;
    const elements = at(listed.body, list.at);
    if (!Array.isArray(elements)) return "list: no array where the binding says";
    if (elements.length > 0 && !list.showsIds && !isJsonObject(at(elements[0], list.wrapper?.at))) {
      return "list: no record where the binding says";
    }
    let record: JsonObject | undefined = before[0];
    if (create) {
      const created = await this.#create(create);
      if (created.status >= 300) return `create: ${brief(created)}`;
      record = (await this.#records.of(this.#collection)).find((one) => !before.some((old) => this.#isSame(old, one)));
      if (!record) return "create: no new record in the collection";
      const shown = at(created.body, create.at);
      const id = isJsonObject(shown) ? shown[this.#collection.idKey] : undefined;
      if (id !== undefined && String(id) !== String(record[this.#collection.idKey])) return `create: shows ${id}`;
    }
    return record && this.#live(record);
  }

  /** Reads, changes and removes a record. */
  async #live(record: JsonObject): Promise<string | undefined> {
    const [read, change] = [this.#of("read"), this.#of("patch", "replace")];
    const remove = this.#keepsOthers && !this.#of("create") ? undefined : this.#of("remove");
    const why = read && (await this.#read(read, record));
    if (why !== undefined) return why;
    if (change && namesRecord(change)) {
      const { idKey } = this.#collection;
      // A name that is sent may be a new one.
      const keepId = withId(change, idKey, () => record[idKey] ?? null);
      const changed = await this.#askAbout(change, record, (body) => patchOf(body, record) ?? keepId(body));
      if (changed.status >= 300) return `${change.action}: ${brief(changed)}`;
      const now = await this.#stored(record);
      if (!now) return `after ${change.action}: not in the collection`;
      const later = read && (await this.#read(read, now));
      if (later !== undefined) return `after ${change.action}: ${later}`;
    }
    return remove && namesRecord(remove) ? this.#remove(remove, (await this.#stored(record)) ?? record) : undefined;
  }

  async #remove(remove: BoundOperation, record: JsonObject): Promise<string | undefined> {
    const removed = await this.#askAbout(remove, record);
    if (removed.status >= 300) return `remove: ${brief(removed)}`;
    if (await this.#stored(record)) return `remove: still in the collection`;
    const read = this.#of("read");
    const gone = read && (await this.#askAbout(read, record));
    // Fields that find a record may find another one, and a path without an id sends the first.
    const isOwn = read?.idParameter !== undefined;
    return gone && gone.status < 400 && isOwn ? `read after remove: ${gone.status}` : undefined;
  }

  async #read(read: BoundOperation, record: JsonObject): Promise<string | undefined> {
    const { idKey } = this.#collection;
    const found = await this.#askAbout(read, record);
    if (found.status >= 300) return `read: ${brief(found)}`;
    if (read.at === undefined) return undefined;
    const inner = at(found.body, read.at);
    const one = Array.isArray(inner) ? at(inner[0], read.wrapper?.at) : inner;
    if (!isJsonObject(one) || !(idKey in one) || read.keys.length > 0) return undefined;
    return String(one[idKey]) === String(record[idKey]) ? undefined : `read ${record[idKey]}: got ${one[idKey]}`;
  }

  /** The id in the document's example may be taken. */
  async #create(create: BoundOperation): Promise<Answer> {
    const path = await this.#records.pathFor(this.#collection, create);
    const created = await this.#ask(create, path);
    if (created.status !== 409) return created;
    return this.#client.ask(create.operation, { path, edit: withId(create, this.#collection.idKey, freeId) });
  }

  #of(...actions: Action[]): BoundOperation | undefined {
    return this.#collection.operations.find(({ action }) => actions.includes(action));
  }

  #ask({ operation }: BoundOperation, path: ReadonlyMap<string, string>): Promise<Answer> {
    return this.#client.ask(operation, { path });
  }

  async #askAbout(bound: BoundOperation, record: JsonObject, edit?: (body: Json) => Json): Promise<Answer> {
    return this.#client.ask(bound.operation, {
      path: await this.#records.pathTo(this.#collection, bound, record),
      edit,
    });
  }

  async #stored(record: JsonObject): Promise<JsonObject | undefined> {
    return (await this.#records.of(this.#collection)).find((one) => this.#isSame(one, record));
  }

  #isSame(a: JsonObject, b: JsonObject): boolean {
    const { idKey } = this.#collection;
    return String(a[idKey]) === String(b[idKey]);
  }
}

function brief({ status, text }: Answer): string {
  return `${status} ${text.slice(0, 300)}`;
}

/** In place of the made words of a JSON Patch, one that its record takes. */
function patchOf(body: Json, record: JsonObject): Json | undefined {
  const isPatch = Array.isArray(body) && body.some((one) => isJsonObject(one) && "op" in one && "path" in one);
  const [field] = Object.entries(record);
  if (!isPatch || !field) return undefined;
  return [{ op: "test", path: `/${field[0].replaceAll("~", "~0").replaceAll("/", "~1")}`, value: field[1] }];
}

/** Whether the path names the record, not only the body. */
function namesRecord({ idParameter, keys }: BoundOperation): boolean {
  return idParameter !== undefined || keys.length > 0;
}

/** The body with another id, if it has one. */
function withId({ requestAt }: BoundOperation, idKey: string, idFor: (id: Json) => Json): (body: Json) => Json {
  const change = (value: Json, [name, ...path]: readonly string[]): Json => {
    if (!isJsonObject(value)) return value;
    if (name !== undefined) return { ...value, [name]: change(value[name] ?? null, path) };
    return Object.hasOwn(value, idKey) ? { ...value, [idKey]: idFor(value[idKey] ?? null) } : value;
  };
  return (body) => change(body, requestAt);
}

/** An id that no record has, in its form: the last letter may be one of a UUID. */
function freeId(id: Json): Json {
  const text = String(id);
  return typeof id === "number" ? id + 900_001 : `${text.slice(0, -1)}${text.endsWith("0") ? "1" : "0"}`;
}
