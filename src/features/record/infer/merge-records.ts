import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import { headerIn } from "../../../http/exchange.ts";
import type { Routed } from "./path-templates.ts";
import { isKeyValue, isSuccessful, textOfSegment } from "./seen.ts";
import { listAtPath, type OtherList, type SeenCollection } from "./seen-collection.ts";
import { idsAt, recordInBody, rowsAt } from "./spots.ts";

/** The records of a collection after all exchanges, in the order of time; `earlier` are those of another recording. */
export function mergeRecords(
  collection: SeenCollection,
  routed: readonly Routed[],
  earlier: readonly Json[] = [],
): readonly JsonObject[] {
  const records = new KeptRecords(collection, earlier);
  for (const one of routed) {
    if (!isSuccessful(one)) continue;
    const list = listAtPath(collection, one.path);
    const parents = parentsIn(list ?? collection, one.values);
    if (list && one.method === "GET") for (const row of rowsIn(collection, list, one)) records.list(row, parents);
    else if (list && one.method === "POST") records.create(one, parents);
    else if (one.path === collection.itemPath) records.change(one, parents);
  }
  return records.inOrder();
}

function rowsIn({ idKey }: SeenCollection, { at, listsIds }: OtherList, { body }: Routed): readonly JsonObject[] {
  return listsIds ? idsAt(body, at).map((id) => ({ [idKey]: id })) : rowsAt(body, at);
}

class KeptRecords {
  readonly #collection: SeenCollection;
  readonly #records = new Map<string, JsonObject>();
  /** Those that were listed come first: their order is that of the API. */
  readonly #order: Set<string>;
  /** Ids that were given to records that tell none. */
  readonly #placeIds = new Set<string>();

  constructor(collection: SeenCollection, earlier: readonly Json[]) {
    this.#collection = collection;
    for (const one of earlier) if (isJsonObject(one)) this.#records.set(String(one[collection.idKey]), one);
    this.#order = new Set(this.#records.keys());
  }

  /** A record of a list updates only the fields that it has. */
  list(row: JsonObject, parents: JsonObject): void {
    const { idKey, hidesId } = this.#collection;
    const id = this.#idOf(row) ?? (hidesId ? (this.#findAlike({ ...row, ...parents }) ?? this.#placeId()) : undefined);
    if (id === undefined) return;
    this.#records.set(id, { ...(hidesId && { [idKey]: id }), ...this.#records.get(id), ...row, ...parents });
    this.#order.add(id);
  }

  create({ body, sent, exchange }: Routed, parents: JsonObject): void {
    const record = createdRecord(this.#collection, body);
    const own = isJsonObject(sent) ? sent : {};
    const id = (record && this.#idOf(record)) ?? locationId(headerIn(exchange.responseHeaders, "location"));
    if (id === undefined) return;
    const { idKey } = this.#collection;
    const value = record ?? { [idKey]: /^\d{1,15}$/.test(id) ? Number(id) : id, ...own };
    // A response that only tells the id leaves the rest to the request.
    const isShort = Object.keys(value).length < Object.keys(own).length;
    this.#records.set(id, { ...(isShort ? own : {}), ...value, ...parents });
  }

  change({ method, body, sent, values }: Routed, parents: JsonObject): void {
    const { idKey, itemAt, hidesId } = this.#collection;
    const id = values.at(-1) ?? "";
    const shown = recordInBody(body, itemAt);
    if (hidesId && shown && method === "GET") this.#settle(id, { ...shown, ...parents });
    const before = this.#records.get(id);
    if (method === "DELETE") this.#records.delete(id);
    if (!["GET", "PUT", "PATCH"].includes(method)) return;
    if (shown && (shown[idKey] === undefined || String(shown[idKey]) === id)) {
      this.#records.set(id, { ...keyOf(before, idKey, id), ...shown, ...this.#hidden(before), ...parents });
    } else if (before && isJsonObject(sent)) {
      const own = method === "PATCH" ? before : keyOf(before, idKey, id);
      this.#records.set(id, { ...own, ...sent, ...keyOf(before, idKey, id), ...parents });
    }
  }

  inOrder(): readonly JsonObject[] {
    const ids = new Set([...this.#order, ...this.#records.keys()]);
    return [...ids].map((id) => this.#records.get(id)).filter((record) => record !== undefined);
  }

  /** A record that was listed without an id is the one of a path that shows the same. */
  #settle(id: string, shown: JsonObject): void {
    const listed = this.#findAlike(shown, this.#placeIds);
    const taken = this.#placeIds.has(id) && listed !== id;
    if (taken) this.#rename(id, this.#placeId());
    if (listed !== undefined && listed !== id && !this.#records.has(id)) this.#rename(listed, id);
    this.#placeIds.delete(id);
  }

  #rename(from: string, to: string): void {
    const record = this.#records.get(from);
    if (!record) return;
    this.#records.delete(from);
    this.#records.set(to, { ...record, [this.#collection.idKey]: to });
    const ids = [...this.#order].map((id) => (id === from ? to : id));
    this.#order.clear();
    for (const id of ids) this.#order.add(id);
    this.#placeIds.delete(from);
  }

  /** The id of a record that differs in no field from what is shown, and has one of them at least. */
  #findAlike(shown: JsonObject, ids: Iterable<string> = this.#records.keys()): string | undefined {
    const names = Object.keys(shown);
    for (const id of ids) {
      const record = this.#records.get(id) ?? {};
      const common = names.filter((name) => Object.hasOwn(record, name));
      const isSame = (name: string): boolean => JSON.stringify(record[name]) === JSON.stringify(shown[name]);
      // One of the two may be the shorter form of a list.
      const smaller = Math.min(names.length, Object.keys(record).length - 1);
      if (common.length * 2 > smaller && common.every(isSame)) return id;
    }
    return undefined;
  }

  /** An id for a record that tells none, by its place in the list. */
  #placeId(): string {
    let next = this.#records.size + 1;
    while (this.#records.has(String(next))) next++;
    this.#placeIds.add(String(next));
    return String(next);
  }

  /** The parents of a record that other lists have told. */
  #hidden(before: JsonObject = {}): JsonObject {
    const names = [...this.#collection.otherLists.values()].flatMap(({ hiddenParents }) => [...hiddenParents.values()]);
    return Object.fromEntries(names.flatMap((name) => (before[name] === undefined ? [] : [[name, before[name]]])));
  }

  #idOf(record: JsonObject): string | undefined {
    const id = record[this.#collection.idKey];
    return isKeyValue(id) ? String(id) : undefined;
  }
}

/** The values of a path that records do not have themselves. */
function parentsIn({ hiddenParents }: OtherList, values: readonly string[]): JsonObject {
  const parents: JsonObject = {};
  for (const [position, name] of hiddenParents) {
    const text = values[position] ?? "";
    parents[name] = /^\d{1,15}$/.test(text) ? Number(text) : text;
  }
  return parents;
}

function keyOf(before: JsonObject | undefined, idKey: string, id: string): JsonObject {
  return { [idKey]: before?.[idKey] ?? id };
}

/** The record in the response of a POST, which may stand elsewhere than in that of its own path. */
export function createdRecord({ idKey, itemAt }: SeenCollection, body: Json | undefined): JsonObject | undefined {
  const usual = recordInBody(body, itemAt);
  if (usual && isKeyValue(usual[idKey])) return usual;
  const whole = recordInBody(body, []);
  if (whole && isKeyValue(whole[idKey])) return whole;
  const inner = Object.values(whole ?? {}).filter(isJsonObject);
  return inner.find((one) => isKeyValue(one[idKey]));
}

/** The id at the end of a `Location`. */
export function locationId(location: string | undefined): string | undefined {
  const last = location?.split(/[?#]/)[0]?.split("/").at(-1);
  return last === undefined || last === "" ? undefined : textOfSegment(last);
}
