import pluralize from "pluralize";
import { isJsonObject, type Json, type JsonObject } from "../../json.ts";
import { textOf } from "../../query/text.ts";
import type { Relation, Store } from "../../store/store.ts";
import type { StoredRecord } from "../../store/stored-record.ts";
import type { Service } from "../service.ts";
import { foreignKey } from "./foreign-keys.ts";

/** The collection an expanded name lives in: `company` -> `companies`. */
export function collectionOf(parent: string): string {
  return pluralize(parent);
}

/** A request for relations of the records of a collection. */
export interface RelatedCollection extends RelationRequest {
  readonly collection: string;
}

export interface RelationRequest {
  readonly embed: readonly string[];
  readonly expand: readonly string[];
}

/** The collections a response draws on beside its own. */
export function relatedNames({ embed, expand }: RelationRequest): string[] {
  return [...embed, ...expand.map(collectionOf)];
}

/** The foreign keys of what is embedded and expanded, in the order of the request. */
export interface RelationKeys {
  readonly embed: readonly string[];
  readonly expand: readonly string[];
}

export const NO_KEYS: RelationKeys = { embed: [], expand: [] };

export async function relationKeys(
  service: Service,
  { collection, embed, expand }: RelatedCollection,
): Promise<RelationKeys> {
  const singular = embed.length > 0 ? pluralize.singular(collection) : "";
  return {
    embed: await Promise.all(embed.map((child) => foreignKey(service, child, singular))),
    expand: await Promise.all(
      expand.map((parent) =>
        // The name comes from the request: only one that is a parent is looked for in the records.
        service.store.kindOf(collectionOf(parent)) ? foreignKey(service, collection, parent) : "",
      ),
    ),
  };
}

/** Whether the same keys would be chosen now: another process may have written the first record that tells them. */
export async function areCurrent(keys: RelationKeys, service: Service, request: RelatedCollection): Promise<boolean> {
  return JSON.stringify(keys) === JSON.stringify(await relationKeys(service, request));
}

/**
 * The relations of a response, as questions to the store. None where one relation could change the start of another: then
 * they must be read one after the other.
 */
export function relationsOf(
  keys: RelationKeys,
  idKey: string,
  { embed, expand }: RelationRequest,
): readonly Relation[] {
  const relations = [
    ...embed.map((child, at) => ({ collection: child, field: keys.embed[at]!, of: idKey })),
    ...expand.map((parent, at) => ({ collection: collectionOf(parent), field: idKey, of: keys.expand[at]! })),
  ];
  const added = new Set([...embed, ...expand]);
  return relations.some(({ of }) => added.has(of)) ? [] : relations;
}

type Related = ReadonlyMap<string, StoredRecord[]>;

interface Rendering extends RelationRequest {
  readonly keys: RelationKeys;
  readonly records: readonly StoredRecord[];
  /** Related records that the store has found already, in the order of the request. */
  readonly related?: readonly Related[] | undefined;
  /** Reduces each record, with its relations, to the requested fields. */
  readonly project?: ((value: Json) => Json) | undefined;
}

/** The JSON text of each record, with the requested children and parents beside it. */
export async function renderWithRelations(
  store: Store,
  { keys, records, embed, expand, related = [], project = (value) => value }: Rendering,
): Promise<string[]> {
  const values = records.map(({ value }) => (isJsonObject(value) ? { ...value } : value));
  for (const [at, child] of embed.entries()) {
    await embedChildren(store, values, { key: keys.embed[at]!, name: child, related: related[at] });
  }
  for (const [at, parent] of expand.entries()) {
    await expandParent(store, values, { key: keys.expand[at]!, name: parent, related: related[embed.length + at] });
  }
  return values.map((value) => JSON.stringify(project(value)));
}

/** One collection to be embedded, or one parent to be expanded. */
interface OneRelation {
  readonly key: string;
  readonly name: string;
  readonly related: Related | undefined;
}

/** An unknown collection embeds as an empty array, as in 0.17. Ids are compared as text. */
async function embedChildren(store: Store, values: Json[], { key, name, related }: OneRelation): Promise<void> {
  const groups = related ?? (await store.related(name, key, textsOf(values, store.idKey)));
  for (const value of values) {
    if (!isJsonObject(value)) continue;
    const id = fieldText(value, store.idKey);
    const children = (id !== undefined && groups.get(id)) || [];
    define(
      value,
      name,
      children.map((record) => record.value),
    );
  }
}

/** A key that is missing, null or without a parent adds nothing. */
async function expandParent(store: Store, values: Json[], { key, name, related }: OneRelation): Promise<void> {
  const parents = related ?? (await store.related(collectionOf(name), store.idKey, textsOf(values, key)));
  for (const value of values) {
    if (!isJsonObject(value)) continue;
    const id = fieldText(value, key);
    const found = id === undefined ? undefined : parents.get(id)?.[0];
    if (found) define(value, name, found.value);
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
