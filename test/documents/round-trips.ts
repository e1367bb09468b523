import { isJsonObject, type Json, type JsonObject } from "../../src/base/json/json.ts";
import type { BoundCollection, BoundOperation } from "../../src/openapi/bind/binding.ts";
import type { ApiDocument } from "../../src/openapi/read/api-document.ts";
import type { Sampler } from "../../src/openapi/sample/sampler.ts";
import { askAt } from "../support/api.ts";
import { requestFor } from "./request-for.ts";

export interface RoundTrips {
  readonly tried: number;
  readonly passed: number;
  readonly failures: readonly string[];
}

/** Creates, reads, lists and removes a record of each bound collection that offers it, as a client of the document would. */
export async function tryRoundTrips(
  url: string,
  document: ApiDocument,
  collections: readonly BoundCollection[],
  sampler: Sampler,
): Promise<RoundTrips> {
  let [tried, passed] = [0, 0];
  const failures: string[] = [];
  // Children first: a trip ends with the removal of a record, which may be their parent.
  const nesting = ({ operations }: BoundCollection): number => Math.max(...operations.map((one) => one.parents.length));
  for (const collection of [...collections].sort((a, b) => nesting(b) - nesting(a))) {
    const of = (action: BoundOperation["action"]) => collection.operations.find((one) => one.action === action);
    const [create, read, list, remove] = [of("create"), of("read"), of("list"), of("remove")];
    // Records of a parent need one first; those are tried with the ids that are there.
    if (!list) continue;
    tried++;
    const why = await tryOne({ url, document, collection, sampler, create, read, list, remove });
    if (why === undefined) passed++;
    else failures.push(`${collection.name}: ${why}`);
  }
  return { tried, passed, failures };
}

interface Trip {
  readonly url: string;
  readonly document: ApiDocument;
  readonly collection: BoundCollection;
  readonly sampler: Sampler;
  readonly create: BoundOperation | undefined;
  readonly read: BoundOperation | undefined;
  readonly list: BoundOperation;
  readonly remove: BoundOperation | undefined;
}

async function tryOne({
  url,
  document,
  collection,
  sampler,
  create,
  read,
  list,
  remove,
}: Trip): Promise<string | undefined> {
  const { idKey } = collection;
  const parents = await parentValues(url, list, collection);
  const ask = async (bound: BoundOperation, id?: Json) => {
    const request = requestFor(document, bound.operation, sampler);
    const values = new Map([...parents, ...(bound.idParameter ? [[bound.idParameter, String(id)] as const] : [])]);
    const filled = bound.operation.path.text.replace(/\{([^{}]*)\}/g, (whole, name) => {
      const value = values.get(name);
      return value === undefined ? whole : encodeURIComponent(value);
    });
    const [, search] = request.path.split("?");
    const path = `${filled.replace(/\{[^{}]*\}/g, "1")}${search ? `?${search}` : ""}`;
    const { method, headers, body } = request;
    return askAt(url, `${method} ${path}`, { headers, ...(body === undefined ? {} : { body }) });
  };
  const listed = await ask(list);
  if (listed.status >= 300) return `list: ${listed.status} ${listed.text.slice(0, 120)}`;
  const records = at(listed.body, list.at);
  if (!Array.isArray(records)) return "list: no array where the binding says";
  const held = at(records[0], list.wrapper?.at);
  if (records.length > 0 && !isJsonObject(held)) return "list: no record where the binding says";
  let id = isJsonObject(held) ? held[idKey] : undefined;
  if (create) {
    const created = await ask(create);
    if (created.status >= 300) return `create: ${created.status} ${created.text.slice(0, 160)}`;
    const record = at(created.body, create.at);
    const own = isJsonObject(record) ? record[idKey] : undefined;
    id = own ?? created.headers.get("location")?.split("/").at(-1);
    if (id === undefined || id === null) {
      const after = at((await ask(list)).body, list.at);
      const last = Array.isArray(after) ? at(after.at(-1), list.wrapper?.at) : undefined;
      id = isJsonObject(last) ? last[idKey] : undefined;
    }
  }
  if (id === undefined || id === null) return create ? "create: the new record has no id" : undefined;
  if (read) {
    const found = await ask(read, id);
    if (found.status >= 300) return `read ${id}: ${found.status} ${found.text.slice(0, 120)}`;
    const record = at(found.body, read.at);
    const one = Array.isArray(record) ? at(record[0], read.wrapper?.at) : record;
    if (isJsonObject(one) && idKey in one && String((one as JsonObject)[idKey]) !== String(id)) {
      return `read ${id}: got ${String((one as JsonObject)[idKey])}`;
    }
  }
  if (remove && read) {
    const removed = await ask(remove, id);
    if (removed.status >= 300) return `remove ${id}: ${removed.status} ${removed.text.slice(0, 120)}`;
    const gone = await ask(read, id);
    if (gone.status < 400) return `read after remove: ${gone.status}`;
  }
  return undefined;
}

/** Values for the wildcards of parents: ids that records of the collection refer to, from standin's own route. */
async function parentValues(
  url: string,
  list: BoundOperation,
  { name }: BoundCollection,
): Promise<Map<string, string>> {
  if (list.parents.length === 0) return new Map();
  const { body } = await askAt(url, `GET /db`);
  const records = isJsonObject(body) ? body[name] : undefined;
  const first = Array.isArray(records) ? records[0] : undefined;
  return new Map(
    list.parents.flatMap(({ parameter, field }) =>
      isJsonObject(first) && first[field] !== undefined ? [[parameter, String(first[field])] as const] : [],
    ),
  );
}

function at(body: unknown, path: readonly string[] | undefined): Json | undefined {
  let found = body as Json | undefined;
  for (const name of path ?? []) found = isJsonObject(found) ? found[name] : undefined;
  return found;
}
