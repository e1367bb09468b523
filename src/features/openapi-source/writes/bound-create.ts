import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import type { Handler, PathParts, Service } from "../../../http/contract.ts";
import { createRecords } from "../../../http/routes/collection.ts";
import type { BoundCollection, BoundOperation } from "../../../openapi/bind/binding.ts";
import { valueAtPointer } from "../../../schema/pointer.ts";
import { type Id, idOf } from "../../../store/ids.ts";
import type { Store } from "../../../store/store.ts";
import type { StoredRecord } from "../../../store/stored-record.ts";
import { createRecordShape, readRecord, sentNames } from "../bound-record.ts";
import { createAlignment } from "../embedded/embedded-records.ts";
import type { OperationContext } from "../operation-context.ts";
import { createExpectParents } from "../parents/expect-parents.ts";
import { fieldsOfParents } from "../parents/parent-fields.ts";
import { createPresentation } from "../responses/presentation.ts";
import { schemaFields, typesOf } from "../schema-fields.ts";
import { createPlanned } from "./create-planned.ts";
import { fitValue } from "./fit-value.ts";
import { createLocation } from "./location.ts";
import { createNamed } from "./named-record.ts";
import { createNestedCreates } from "./nested-creates.ts";
import { createNewKeys } from "./new-keys.ts";
import { markOfNew } from "./new-parents.ts";
import { createQueryFields } from "./query-fields.ts";
import { createNewRecord } from "./record-change.ts";
import { createRecordMapping, settableFields } from "./record-mapping.ts";
import { createRelatedIds } from "./related-ids.ts";
import { withSlug } from "./slug.ts";

/** Creates a record, or all of a list. */
export function createBoundCreate(
  tools: OperationContext,
  collection: BoundCollection,
  bound: BoundOperation,
): Handler<PathParts> {
  return createWithDefaults(tools, { collection, bound });
}

interface Creation {
  readonly collection: BoundCollection;
  readonly bound: BoundOperation;
  /** What a new record has where nothing else was sent. */
  defaults?(service: Service, parts: PathParts): Promise<JsonObject>;
}

/** The same for records that have something already where nothing else is sent. */
export function createWithDefaults(
  tools: OperationContext,
  { collection, bound, defaults }: Creation,
): Handler<PathParts> {
  const { references } = tools.document;
  const { name } = collection;
  const presentation = createPresentation(tools, collection, bound);
  const locationOf = createLocation(collection, bound);
  const mapping = createRecordMapping(tools, collection, bound);
  const own = settableFields(references, collection, bound);
  const queried = createQueryFields(references, collection, bound);
  const fields = schemaFields(references, collection.record);
  const typed = (field: string, key: Id): Json => {
    const schema = fields?.properties.get(field);
    const types = schema ? typesOf(references, schema) : [];
    if (types.length === 0) return key;
    if (types.includes("string")) return types.length === 1 ? String(key) : key;
    return /^-?\d+(\.\d+)?$/.test(String(key)) ? Number(key) : key;
  };
  const whole = (field: string, value: JsonObject): Json => {
    const schema = fields?.properties.get(field);
    return (schema && fitValue(schema, value, { ...tools, references })) ?? value;
  };
  const withPathId = (body: Json | undefined, parts: PathParts): Json | undefined => {
    if (bound.idParameter === undefined) return body;
    const id = typed(collection.idKey, parts[bound.idParameter] ?? "");
    return { ...(isJsonObject(body) ? body : {}), [collection.idKey]: id };
  };
  const withNames = createNamed(tools, collection);
  const withRelated = createRelatedIds(tools, collection);
  const expectParents = createExpectParents(tools, bound);
  const settled = createNewRecord(tools, collection, bound);
  const align = createAlignment(tools, name);
  const newKeys = createNewKeys(tools, collection, bound);
  const mark = markOfNew(collection);
  const isTaken = async (store: Store, { slug, record, parts }: Slugged): Promise<boolean> =>
    newKeys ? newKeys.isTaken(store, { key: slug, record, parts }) : (await store.get(name, slug)) !== undefined;
  const { collections } = tools;
  const givenBy = async (service: Service, parts: PathParts, sent: Json): Promise<JsonObject | undefined> => {
    const ofParents =
      bound.parents.length === 0
        ? undefined
        : await fieldsOfParents(service.store, bound, { collections, parts, sent, typed, whole });
    return mark ? { ...ofParents, ...mark } : ofParents;
  };
  if (bound.takesList) {
    const shape = createRecordShape(presentation);
    // Records with paths of their own are more than links.
    const links = collection.operations.every(({ idParameter }) => idParameter === undefined) ? newKeys : undefined;
    return async (call, service, parts) => {
      const { operation, requestAt } = bound;
      const sent = await call.body();
      await tools.guard.checkBody({ operation, call, parts, service, body: sent });
      const bodies: JsonObject[] = [];
      const linked = new Set<string>();
      // What stands beside the list is the same for each of them: `{ "list_id": 7, "rows": [{ ... }] }`.
      const [listName = "", ...deeper] = requestAt;
      const { [listName]: _, ...beside } = isJsonObject(sent) && deeper.length === 0 ? sent : {};
      for (const one of [sent === undefined ? [] : (valueAtPointer(sent, requestAt) ?? [])].flat()) {
        if (!isJsonObject(one)) continue;
        const mapped = await mapping(tools.writable(name, { ...beside, ...one }, own), service.store);
        // A parent keeps each link once, however often it is sent.
        const id = links && isJsonObject(mapped) ? idOf(mapped, collection.idKey) : undefined;
        if (links && id !== undefined) {
          const key = String(id);
          if (linked.has(key) || (await links.isTaken(service.store, { key, record: one, parts }))) continue;
          linked.add(key);
        }
        bodies.push((await withRelated(withNames(settled(mapped, undefined)), service.store)) as JsonObject);
      }
      call.giveBody(bodies);
      await expectParents(service, parts);
      const given = await givenBy(service, parts, {});
      return createPlanned(call, service, { collection: name, given, shape, settle: newKeys?.settle(parts) });
    };
  }
  const nested = createNestedCreates(tools, collection, bound);
  return async (call, service, parts) => {
    const body = await readRecord(tools, { collection, bound, mapping, own, queried }, { call, service, parts });
    const whole = await call.body();
    const read = nested && isJsonObject(whole) ? nested.without(whole) : whole;
    const begun = defaults ? { ...(await defaults(service, parts)), ...(isJsonObject(read) && read) } : read;
    const made = isJsonObject(begun) ? settled(begun, call.headers["content-type"]) : begun;
    const slugged =
      isJsonObject(made) && collection.idKey === "slug"
        ? await withSlug(made, (slug) => isTaken(service.store, { slug, record: made, parts }))
        : made;
    const named = withPathId(isJsonObject(slugged) ? withNames(slugged) : slugged, parts);
    const isOne = named === undefined || isJsonObject(named);
    const sent = isOne ? await withRelated(named ?? {}, service.store) : named;
    call.giveBody(sent);
    await expectParents(service, parts);
    let created: StoredRecord | undefined;
    const shape = createRecordShape(presentation, (record) => {
      created = record;
      const id = idOf(record.value, collection.ownKey === undefined ? service.store.idKeyOf(name) : collection.idKey);
      return id === undefined ? undefined : locationOf(call, parts, String(id));
    });
    const given = await givenBy(service, parts, sent);
    const belongings =
      nested && isJsonObject(body) ? await nested.belongings(service, { sent: body, parts }) : undefined;
    const settle = newKeys?.settle(parts);
    const planned = { collection: name, given, shape, settle, belongings };
    const isPlain = isOne && !settle && !belongings;
    const reply = isPlain ? await createRecords(call, service, planned) : await createPlanned(call, service, planned);
    if (align && created) await align(call, service, { record: created.value, sent: sentNames(sent) });
    return reply;
  };
}

interface Slugged {
  readonly slug: string;
  readonly record: JsonObject;
  readonly parts: PathParts;
}
