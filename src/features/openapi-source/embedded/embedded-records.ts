import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import type { Call } from "../../../http/call.ts";
import type { Service } from "../../../http/contract.ts";
import { isDryRun } from "../../../http/routes/carry-out.ts";
import { equality } from "../../../query/operators/eq.ts";
import { parsePath } from "../../../query/path.ts";
import { idOf } from "../../../store/ids.ts";
import { slice } from "../../../store/slice.ts";
import type { Store } from "../../../store/store.ts";
import type { OperationContext } from "../operation-context.ts";
import { recordNamed } from "../parents/field-lookup.ts";
import type { EmbeddedList } from "./embedded-list.ts";
import { elementsOf, withElements } from "./embedded-lists.ts";
import { childrenLike, parentsLike } from "./shared-owners.ts";

/** Longer lists are not kept in their parents: each write would take as long as the list is. */
const MAX_ELEMENTS = 100;

interface Written {
  readonly collection: string;
  /** The record as it was written or, if it is gone, as it was. */
  readonly record: Json;
  readonly isGone?: boolean;
  /** The fields that the request has. */
  readonly sent?: readonly string[];
}

/** Keeps records and the lists of other records that they are in alike, after one of them was written. */
async function alignEmbedded(lists: readonly EmbeddedList[], store: Store, written: Written): Promise<void> {
  for (const list of lists) {
    const { parent, child, at } = list;
    if (parent.name === written.collection && !written.isGone && written.sent?.includes(at[0])) {
      await storeElements(store, list, written.record);
    }
    if (child.name !== written.collection) continue;
    const record = await putElement(list, store, written);
    // A pet with a new visit is in the list of its owner, too.
    if (record) await alignEmbedded(lists, store, { collection: parent.name, record });
  }
}

/** Prepares that for a collection; undefined where its records are in no lists, and have none. */
export function createAlignment(
  { embedded }: Pick<OperationContext, "embedded">,
  collection: string,
): ((call: Call, service: Service, written: Omit<Written, "collection">) => Promise<void>) | undefined {
  const lists = embedded();
  if (lists.every(({ parent, child }) => parent.name !== collection && child.name !== collection)) return undefined;
  return async (call, { store }, written) => {
    if (!isDryRun(call.preferences)) await alignEmbedded(lists, store, { collection, ...written });
  };
}

/** The records in a list as records of their own; those that it no longer has go. */
async function storeElements(store: Store, list: EmbeddedList, record: Json): Promise<void> {
  const { parent, child, key } = list;
  const id = idOf(record, parent.idKey);
  const elements = elementsOf(record, list);
  if (id === undefined || !elements) return;
  const idKey = store.idKeyOf(child.name);
  const where = [{ ...equality(parsePath(key), [String(id)]), isFromPath: true }, ...childrenLike(list, record)];
  const ids = new Set<string>();
  for (const element of elements) {
    const own = idOf(element, child.idKey);
    const body = { ...element, [key]: id };
    const held = own === undefined ? undefined : await recordNamed(store, child, { key: String(own), among: where });
    const heldId = held && idOf(held.value, idKey);
    if (heldId !== undefined) {
      await store.apply({ kind: "patch", collection: child.name, id: String(heldId), body });
      ids.add(String(heldId));
    } else {
      const { edits } = await store.apply({ kind: "create", collection: child.name, bodies: [body] });
      ids.add(String(idOf(edits[0]?.after?.value ?? null, idKey)));
    }
  }
  const { records } = await store.find(child.name, { ...slice(0, MAX_ELEMENTS), where });
  for (const { value } of records) {
    const own = String(idOf(value, idKey));
    if (!ids.has(own)) await store.apply({ kind: "remove", collection: child.name, id: own, dependents: [] });
  }
}

/** Puts a record into the list of its parent, or takes it out; resolves to the parent if that is changed. */
async function putElement(
  list: EmbeddedList,
  store: Store,
  { record, isGone = false }: Written,
): Promise<Json | undefined> {
  const { parent, child, key } = list;
  if (!isJsonObject(record)) return undefined;
  const named = record[key];
  const id = isJsonObject(named) ? idOf(named, parent.idKey) : named;
  const isKey = typeof id === "string" || typeof id === "number";
  const found = isKey
    ? await recordNamed(store, parent, { key: String(id), among: parentsLike(list, record) })
    : undefined;
  const elements = found && elementsOf(found.value, list);
  if (!elements || elements.length >= MAX_ELEMENTS) return undefined;
  const isSame = (one: JsonObject): boolean => String(idOf(one, child.idKey)) === String(idOf(record, child.idKey));
  const others = isGone ? elements.filter((one) => !isSame(one)) : elements.map((one) => (isSame(one) ? record : one));
  const next = isGone || elements.some(isSame) ? others : [...elements, record];
  const { edits } = await store.apply({
    kind: "transform",
    collection: parent.name,
    id: String(idOf(found.value, store.idKeyOf(parent.name))),
    transform: (current) => (isJsonObject(current) ? withElements(current, list, next) : current),
  });
  return edits[0]?.after?.value;
}

/** A record whose embedded records name it as their parent. */
export function withOwnElements(lists: readonly EmbeddedList[], collection: string, record: JsonObject): JsonObject {
  let value = record;
  for (const list of lists) {
    const { parent, key, hidden } = list;
    const id = parent.name === collection && !hidden.includes(key) ? idOf(record, parent.idKey) : undefined;
    const elements = id === undefined ? [] : (elementsOf(value, list) ?? []);
    if (id === undefined || elements.every((one) => isJsonObject(one[key]) || one[key] === id)) continue;
    const own = elements.map((one) => (isJsonObject(one[key]) ? one : { ...one, [key]: id }));
    value = withElements(value, list, own);
  }
  return value;
}
