import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import type { PathParts, Service } from "../../http/contract.ts";
import { createSettled } from "../../http/routes/collection.ts";
import type { BoundCollection, BoundOperation } from "../../openapi/bind/binding.ts";
import { findAlike, isSameNoun, singularOf } from "../../openapi/bind/words.ts";
import { idOf } from "../../store/ids.ts";
import type { StoredRecord } from "../../store/stored-record.ts";
import { createNewKeys } from "./new-keys.ts";
import type { OperationContext } from "./operation-context.ts";
import { fieldsOfParents } from "./parent-fields.ts";
import { createNewRecord } from "./record-change.ts";
import { createRecordMapping, requestFields, settableFields } from "./record-mapping.ts";
import { recordFieldsOf } from "./schema-fields.ts";

/** Creates the records below a new one that its request lists. */
export interface NestedCreates {
  /** The request without them. */
  without(sent: JsonObject): JsonObject;
  create(
    service: Service,
    made: { readonly sent: JsonObject; readonly record: StoredRecord; readonly parts: PathParts },
  ): Promise<void>;
}

/** A list in a request, and the operation that creates one of its elements below the record. */
interface NestedList {
  readonly field: string;
  readonly child: BoundCollection;
  readonly bound: BoundOperation;
  /** The field of a child's request that has an id of the list, where it is one of ids: `file_ids` and `file_id`. */
  readonly idField: string | undefined;
}

/**
 * Prepares creates whose request lists records of a collection below the new one: the `messages` of `POST /threads` become
 * records of `/threads/{id}/messages`, and the `file_ids` of a store its files. Undefined where no list does.
 */
export function createNestedCreates(
  tools: OperationContext,
  collection: BoundCollection,
  bound: BoundOperation,
): NestedCreates | undefined {
  const { references } = tools.document;
  const known = recordFieldsOf(references, collection.record)?.properties.keys() ?? [];
  const fields = [...(requestFields(references, bound)?.properties.keys() ?? [])].filter(
    (name) => findAlike(known, name) === undefined,
  );
  const lists = fields.flatMap((field) => listOf(tools, { collection, bound, field }) ?? []);
  if (lists.length === 0) return undefined;
  const makers = lists.map((list) => ({ list, make: createMaker(tools, list) }));
  return {
    without: (sent) =>
      Object.fromEntries(Object.entries(sent).filter(([name]) => lists.every(({ field }) => field !== name))),
    create: async (service, { sent, record, parts }) => {
      const { name, idKey, ownKey } = collection;
      const id = idOf(record.value, ownKey === undefined ? service.store.idKeyOf(name) : idKey);
      for (const { list, make } of makers) {
        const elements = sent[list.field];
        if (id === undefined || !Array.isArray(elements)) continue;
        const given = elements.map((one) => (list.idField === undefined ? one : { [list.idField]: one }));
        for (const one of given) if (isJsonObject(one)) await make(service, { one, parts, id: String(id) });
      }
    },
  };
}

function listOf(
  { document: { references }, collections }: OperationContext,
  {
    collection,
    bound,
    field,
  }: { readonly collection: BoundCollection; readonly bound: BoundOperation; readonly field: string },
): NestedList | undefined {
  const items = new Set(collection.operations.flatMap((one) => (isOfRecord(one) ? [one.operation.path.shape] : [])));
  const [, ids] = /^(.+?)[_-]?ids$/i.exec(field) ?? [];
  for (const child of collections) {
    if (child === collection || child.isSingle) continue;
    for (const one of child.operations) {
      const { shape, text, names } = one.operation.path;
      const isBelow = one.action === "create" && items.has(shape.slice(0, shape.lastIndexOf("/")));
      if (!isBelow || names.length !== bound.operation.path.names.length + 1) continue;
      if (!isSameNoun(text.slice(text.lastIndexOf("/") + 1), ids ?? field)) continue;
      const sent = requestFields(references, one)?.properties.keys() ?? [];
      const idField = ids === undefined ? undefined : findAlike(sent, singularOf(field));
      if (ids === undefined || idField !== undefined) return { field, child, bound: one, idField };
    }
  }
  return undefined;
}

/** Whether the path of an operation ends in the id of a record. */
function isOfRecord({ action, operation: { path }, idParameter, keys }: BoundOperation): boolean {
  return (
    action !== "create" &&
    action !== "list" &&
    (idParameter !== undefined || keys.length > 0) &&
    path.text.endsWith("}")
  );
}

interface Element {
  readonly one: JsonObject;
  readonly parts: PathParts;
  /** Of the record above. */
  readonly id: string;
}

/** Prepares what a request for one of the records would do. */
function createMaker(tools: OperationContext, { child, bound }: NestedList) {
  const { name } = child;
  const mapping = createRecordMapping(tools, child, bound);
  const own = settableFields(tools.document.references, child, bound);
  const settled = createNewRecord(tools, child, bound);
  const newKeys = createNewKeys(tools, child, bound);
  const [last = "", ...others] = bound.operation.path.names.toReversed();
  return async ({ store }: Service, { one, parts, id }: Element): Promise<void> => {
    const sent = settled(await mapping(tools.writable(name, one, own), store), undefined);
    // Those above have the same places in both paths, if not the same names.
    const above = Object.values(parts).toReversed();
    const named = Object.fromEntries(others.map((parameter, at) => [parameter, parts[parameter] ?? above[at] ?? ""]));
    const path = { ...named, [last]: id };
    const typed = (_field: string, key: string | number): Json => key;
    const whole = (_field: string, value: JsonObject): Json => value;
    const ofParents = await fieldsOfParents(store, bound, {
      collections: tools.collections,
      parts: path,
      sent,
      typed,
      whole,
    });
    const body = { ...sent, ...ofParents };
    const settle = newKeys?.settle(path);
    await store.apply(
      settle ? createSettled(name, [body], settle).write : { kind: "create", collection: name, bodies: [body] },
    );
  };
}
