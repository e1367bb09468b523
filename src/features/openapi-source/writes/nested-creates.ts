import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import type { Work } from "../../../base/slices.ts";
import type { PathParts, Service } from "../../../http/contract.ts";
import type { BoundCollection, BoundOperation } from "../../../openapi/bind/binding.ts";
import { findAlike, isSameNoun, singularOf } from "../../../openapi/bind/words.ts";
import { type Id, idOf } from "../../../store/ids.ts";
import type { Transaction } from "../../../store/store.ts";
import type { OperationContext } from "../operation-context.ts";
import { fieldsOfParents, objectIn } from "../parents/parent-fields.ts";
import { recordFieldsOf } from "../schema-fields.ts";
import type { Belongings } from "./create-planned.ts";
import { createNewKeys } from "./new-keys.ts";
import { createNewRecord } from "./record-change.ts";
import { createRecordMapping, requestFields, settableFields } from "./record-mapping.ts";

/** Creates the records below a new one that its request lists. */
export interface NestedCreates {
  /** The request without them. */
  without(sent: JsonObject): JsonObject;
  /** What a request creates besides its record. */
  belongings(service: Service, request: { readonly sent: JsonObject; readonly parts: PathParts }): Promise<Belongings>;
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
    belongings: async (service, { sent, parts }) => {
      const { name, idKey, ownKey } = collection;
      const made: Child[] = [];
      for (const { list, make } of makers) {
        const elements = sent[list.field];
        if (!Array.isArray(elements)) continue;
        const given = elements.map((one) => (list.idField === undefined ? one : { [list.idField]: one }));
        for (const one of given) if (isJsonObject(one)) made.push(await make(service, { one, parts }));
      }
      return {
        members: [...new Set(made.map(({ collection: { name } }) => name))],
        *create({ value }, data) {
          const id = idOf(value, ownKey === undefined ? service.store.idKeyOf(name) : idKey);
          if (id === undefined) return;
          for (const child of made) {
            const body = yield* child.body(id, data);
            yield* data.apply({ kind: "create", collection: child.collection.name, bodies: [body] });
          }
        },
      };
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
}

/** A record below one that is not there yet. */
interface Child {
  readonly collection: BoundCollection;
  /** Its fields, given the id of the record above. */
  body(id: Id, data: Transaction): Work<JsonObject>;
}

/** Prepares what a request for one of the records would do. */
function createMaker(tools: OperationContext, { child, bound }: NestedList) {
  const { name } = child;
  const mapping = createRecordMapping(tools, child, bound);
  const own = settableFields(tools.document.references, child, bound);
  const settled = createNewRecord(tools, child, bound);
  const newKeys = createNewKeys(tools, child, bound);
  const [last = "", ...others] = bound.operation.path.names.toReversed();
  const [above, further] = [true, false].map((isAbove) =>
    bound.parents.filter(({ parameter }) => (parameter === last) === isAbove),
  );
  return async ({ store }: Service, { one, parts }: Element): Promise<Child> => {
    const sent = settled(await mapping(tools.writable(name, one, own), store), undefined);
    // Those above have the same places in both paths, if not the same names.
    const given = Object.values(parts).toReversed();
    const named = Object.fromEntries(others.map((parameter, at) => [parameter, parts[parameter] ?? given[at] ?? ""]));
    const typed = (_field: string, key: string | number): Json => key;
    const whole = (_field: string, value: JsonObject): Json => value;
    const ofParents = await fieldsOfParents(
      store,
      { ...bound, parents: further ?? [] },
      { collections: tools.collections, parts: named, sent, typed, whole },
    );
    return {
      collection: child,
      *body(id, data) {
        const body: JsonObject = { ...sent, ...ofParents };
        for (const { field, holder } of above ?? []) {
          if (holder === undefined) body[field] = id;
          else body[holder] = { ...objectIn(body, holder), [field]: id };
        }
        return newKeys ? yield* newKeys.settle({ ...named, [last]: String(id) })(body, data) : body;
      },
    };
  };
}
