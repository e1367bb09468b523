import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import { headerIn } from "../../../http/exchange.ts";
import type { Routed } from "./path-templates.ts";
import { isKeyValue, isSuccessful, textOfSegment } from "./seen.ts";
import { listAtPath, type OtherList, type SeenCollection } from "./seen-collection.ts";
import { recordInBody, rowsAt } from "./spots.ts";

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
    if (list && one.method === "GET") for (const row of rowsAt(one.body, list.at)) records.list(row, parents);
    else if (list && one.method === "POST") records.create(one, parents);
    else if (one.path === collection.itemPath) records.change(one, parents);
  }
  return records.inOrder();
}

class KeptRecords {
  readonly #collection: SeenCollection;
  readonly #records = new Map<string, JsonObject>();
  /** Those that were listed come first: their order is that of the API. */
  readonly #order: Set<string>;

  constructor(collection: SeenCollection, earlier: readonly Json[]) {
    this.#collection = collection;
    for (const one of earlier) if (isJsonObject(one)) this.#records.set(String(one[collection.idKey]), one);
    this.#order = new Set(this.#records.keys());
  }

  /** A record of a list updates only the fields that it has. */
  list(row: JsonObject, parents: JsonObject): void {
    const id = this.#idOf(row);
    if (id === undefined) return;
    this.#records.set(id, { ...this.#records.get(id), ...row, ...parents });
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
    const { idKey, itemAt } = this.#collection;
    const id = values.at(-1) ?? "";
    const before = this.#records.get(id);
    if (method === "DELETE") this.#records.delete(id);
    if (!["GET", "PUT", "PATCH"].includes(method)) return;
    const shown = recordInBody(body, itemAt);
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

function locationId(location: string | undefined): string | undefined {
  const last = location?.split(/[?#]/)[0]?.split("/").at(-1);
  return last === undefined || last === "" ? undefined : textOfSegment(last);
}
