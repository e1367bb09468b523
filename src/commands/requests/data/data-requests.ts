import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import { isSecretName } from "../../../base/secrets/secret-name.ts";
import type { DescribedRelation } from "../../../schema/description/description.ts";
import { type Id, idOf } from "../../../store/ids.ts";
import type { Store } from "../../../store/store.ts";
import { type BookRequest, encodePath, encodeQuery, type Template } from "../request-book.ts";
import { bodyTemplate } from "../secret-values.ts";
import { type BookOperation, queryParameters } from "./operations.ts";
import { type CollectionSamples, isFilterName, type Pairs } from "./samples.ts";

/** Of larger collections, a request for the list asks for a part only. */
const MAX_LISTED = 100;
/** Characters of a field in a body. */
const MAX_FIELD = 2000;
const PART: Pairs[number] = ["_limit", "10"];
const JSON_TYPE: BookRequest["headers"] = [["Content-Type", ["application/json"]]];

/** Everything that requests for the data are made of. */
export interface DataFacts {
  readonly store: Store;
  readonly samples: ReadonlyMap<string, CollectionSamples>;
  readonly relations: readonly DescribedRelation[];
  /** Makes up a record for a collection with rules, which a copy of another might break. */
  draft(collection: string): Promise<JsonObject>;
}

/** A request for a route of the data; undefined if there is no record that it could be about. */
export async function dataRequest(operation: BookOperation, facts: DataFacts): Promise<BookRequest | undefined> {
  const [name, , child] = operation.segments as [string, string?, string?];
  const sample = facts.samples.get(name);
  if (!sample) return singletonRequest(operation, facts.store);
  if (child !== undefined) return nestedRequest(operation, sample, facts);
  if (operation.segments.length === 1) return listRequest(operation, sample, facts);
  const id = operation.method === "DELETE" ? await removableId(sample, facts) : sample.id;
  if (id === undefined) return undefined;
  const request = requestOf(operation, encodePath(name, id));
  if (operation.method === "PUT") return withRecord(request, await newRecord(sample, facts));
  return operation.method === "PATCH" ? withBody(request, partOf(sample)) : request;
}

/** A request that reads a collection, which may be large. */
export function listing(sample: CollectionSamples, pairs: Pairs): BookRequest["query"] {
  const isPart = pairs.some(([name]) => /^_(page|limit|start|end|per_page|after|group|aggregate)$/.test(name));
  return encoded(sample.member.count > MAX_LISTED && !isPart ? [...pairs, PART] : pairs);
}

async function singletonRequest(operation: BookOperation, store: Store): Promise<BookRequest> {
  const [name] = operation.segments as [string];
  const value = ((await store.singleton(name))?.value ?? {}) as Json;
  const request = requestOf(operation, encodePath(name));
  if (!request.isWrite) return request;
  return withBody(request, operation.method === "PATCH" && isJsonObject(value) ? firstField(value) : value);
}

async function listRequest(
  operation: BookOperation,
  sample: CollectionSamples,
  facts: DataFacts,
): Promise<BookRequest | undefined> {
  const request = requestOf(operation, encodePath(sample.member.name));
  if (operation.method === "GET") return { ...request, query: listing(sample, []) };
  if (operation.method === "POST") return withRecord(request, await newRecord(sample, facts));
  // A key that means something else in a query chooses nothing, and all records would be too many.
  const id = operation.method === "DELETE" ? await removableId(sample, facts) : sample.id;
  const { idKey } = sample.member;
  if (id === undefined || idKey === undefined || !isFilterName(idKey)) return undefined;
  const chosen = { ...request, query: encoded([[idKey, String(id)]]) };
  return operation.method === "PATCH" ? withBody(chosen, partOf(sample)) : chosen;
}

/** The children of a record that has some. */
async function nestedRequest(
  operation: BookOperation,
  parent: CollectionSamples,
  facts: DataFacts,
): Promise<BookRequest | undefined> {
  const [, , childName = ""] = operation.segments;
  const child = facts.samples.get(childName);
  const relation = facts.relations.find(({ from, to }) => from === child?.member.name && to === parent.member.name);
  if (!child || !relation || parent.id === undefined) return undefined;
  const id = (await parentWithChildren(relation, child, facts.store)) ?? parent.id;
  const request = requestOf(operation, encodePath(parent.member.name, id, child.member.name));
  if (operation.method === "GET") return { ...request, query: listing(child, []) };
  const { fields, isMadeUp } = await newRecord(child, facts);
  const { [relation.field]: _key, ...others } = fields;
  return withRecord(request, { fields: others, isMadeUp });
}

async function parentWithChildren(
  { to, field }: DescribedRelation,
  child: CollectionSamples,
  store: Store,
): Promise<Id | undefined> {
  for (const record of child.records) {
    for (const key of [record[field] ?? []].flat()) {
      const parent = typeof key === "object" ? undefined : await store.get(to, String(key));
      const id = parent && idOf(parent.value as Json, store.idKeyOf(to));
      if (id !== undefined) return id;
    }
  }
  return undefined;
}

interface NewRecord {
  readonly fields: JsonObject;
  /** Whether no value is one of the data, so that none is a secret. */
  readonly isMadeUp: boolean;
}

/** The fields of a record without its id: those of a record that is there, or made up where rules check it. */
async function newRecord({ member, record, records }: CollectionSamples, { draft }: DataFacts): Promise<NewRecord> {
  // Rules that no record can keep are no reason to have no request.
  const made = member.rules ? await draft(member.name).catch(() => undefined) : undefined;
  const { [member.idKey ?? "id"]: _id, ...fields } = made ?? record ?? records[0] ?? {};
  return { fields, isMadeUp: made !== undefined };
}

/** A change that leaves a record as it is. */
function partOf({ member, record = {} }: CollectionSamples): JsonObject {
  const { [member.idKey ?? "id"]: _id, ...fields } = record;
  return firstField(fields);
}

function firstField(fields: JsonObject): JsonObject {
  const open = Object.entries(fields).filter(([name]) => !isSecretName(name));
  const found = open.find(([, value]) => typeof value === "string" || typeof value === "number") ?? open[0];
  return found ? { [found[0]]: found[1] } : {};
}

/** The id of a record that no rule keeps as long as others refer to it. */
async function removableId(
  { member, records, id: first }: CollectionSamples,
  facts: DataFacts,
): Promise<Id | undefined> {
  const keepers = [...facts.samples.values()].flatMap(({ member: { name, rules } }) =>
    Object.entries(rules?.references ?? {})
      .filter(([, { collection, onDelete }]) => collection === member.name && onDelete === "refuse")
      .map(([field]) => ({ name, field })),
  );
  if (keepers.length === 0) return first;
  for (const record of records) {
    const id = idOf(record, member.idKey ?? "id");
    if (id === undefined) continue;
    const isKept = await Promise.all(
      keepers.map(async ({ name, field }) => {
        const isList = facts.relations.some((one) => one.from === name && one.field === field && one.isList);
        return (await facts.store.related(name, { field, isList }, new Set([String(id)]))).size > 0;
      }),
    );
    if (!isKept.includes(true)) return id;
  }
  return undefined;
}

/** Deletes the records that refer to this one as well. */
export function dependentRequest(operation: BookOperation, { member, id }: CollectionSamples): BookRequest | undefined {
  const schema = queryParameters(operation).get("_dependent")?.schema;
  const items = isJsonObject(schema) ? schema.items : undefined;
  const [name] = isJsonObject(items) && Array.isArray(items.enum) ? items.enum : [];
  if (typeof name !== "string" || id === undefined) return undefined;
  const request = requestOf(operation, encodePath(member.name, id));
  return {
    ...request,
    id: `${request.id}_with_dependent`,
    name: `${request.name}, and the ${name} that refer to it`,
    query: encoded([["_dependent", name]]),
  };
}

export function requestOf({ id, summary, method }: BookOperation, path: string): BookRequest {
  return { id, name: summary, method, path, query: [], headers: [], isWrite: method !== "GET" };
}

export function withBody(request: BookRequest, body: Json): BookRequest {
  return { ...request, headers: JSON_TYPE, body: bodyTemplate(isJsonObject(body) ? shortened(body) : body) };
}

function withRecord(request: BookRequest, { fields, isMadeUp }: NewRecord): BookRequest {
  if (!isMadeUp) return withBody(request, fields);
  return { ...request, headers: JSON_TYPE, body: [JSON.stringify(fields, null, 2)] };
}

/** Without fields that are too long to be read. */
function shortened(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => JSON.stringify(value).length <= MAX_FIELD));
}

function encoded(pairs: Pairs): BookRequest["query"] {
  return pairs.map(([name, value]): readonly [string, Template] => [encodeQuery(name), [encodeQuery(value)]]);
}
