import pluralize from "pluralize";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { textOf } from "../query/text.ts";
import type { Store } from "../store/store.ts";
import type { StoredRecord } from "../store/stored-record.ts";

/** The field by which records refer to one of `collection`: `companies` -> `company_id`. */
export function keyTo(collection: string, suffix: string): string {
  return `${pluralize.singular(collection)}${suffix}`;
}

/** The collection an expanded name lives in: `company` -> `companies`. */
export function collectionOf(parent: string): string {
  return pluralize(parent);
}

export interface RelationRequest {
  readonly embed: readonly string[];
  readonly expand: readonly string[];
}

/** The collections an answer draws on beside its own. */
export function relatedNames({ embed, expand }: RelationRequest): string[] {
  return [...embed, ...expand.map(collectionOf)];
}

/** The JSON text of each record, with its children and parents beside it where asked for. */
export async function renderWithRelations(
  store: Store,
  suffix: string,
  collection: string,
  records: readonly StoredRecord[],
  { embed, expand }: RelationRequest,
): Promise<string[]> {
  if (embed.length === 0 && expand.length === 0) return records.map((record) => record.text);
  const values = records.map(({ value }) => (isJsonObject(value) ? { ...value } : value));
  for (const child of embed) await embedChildren(store, keyTo(collection, suffix), child, values);
  for (const parent of expand) await expandParent(store, `${parent}${suffix}`, parent, values);
  return values.map((value) => JSON.stringify(value));
}

/** An unknown collection embeds as an empty array, as in 0.17. Ids are compared as text. */
async function embedChildren(store: Store, key: string, child: string, values: Json[]): Promise<void> {
  const groups = await store.related(child, key, textsOf(values, store.idKey));
  for (const value of values) {
    if (!isJsonObject(value)) continue;
    const id = fieldText(value, store.idKey);
    const children = (id !== undefined && groups.get(id)) || [];
    define(
      value,
      child,
      children.map((record) => record.value),
    );
  }
}

/** A key that is missing, null or leads nowhere adds nothing. */
async function expandParent(store: Store, key: string, parent: string, values: Json[]): Promise<void> {
  const parents = await store.related(collectionOf(parent), store.idKey, textsOf(values, key));
  for (const value of values) {
    if (!isJsonObject(value)) continue;
    const id = fieldText(value, key);
    const found = id === undefined ? undefined : parents.get(id)?.[0];
    if (found) define(value, parent, found.value);
  }
}

function textsOf(values: readonly Json[], field: string): Set<string> {
  const texts = new Set<string>();
  for (const value of values) {
    const text = isJsonObject(value) ? fieldText(value, field) : undefined;
    if (text !== undefined) texts.add(text);
  }
  return texts;
}

function fieldText(record: JsonObject, field: string): string | undefined {
  const value = Object.hasOwn(record, field) ? record[field] : undefined;
  return value === undefined || value === null ? undefined : textOf(value);
}

/** The name comes from the request, so it must never reach a setter such as `__proto__`. */
function define(record: JsonObject, name: string, value: Json): void {
  Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
}
