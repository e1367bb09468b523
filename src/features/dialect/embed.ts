import pluralize from "pluralize";
import { isJsonObject, type Json, type JsonObject, stringifyJson } from "../../base/json/json.ts";
import type { Service } from "../../http/contract.ts";
import { foreignKey } from "../../http/relations/foreign-keys.ts";
import { textOf } from "../../query/text.ts";
import type { StoredRecord } from "../../store/stored-record.ts";

/** A record with its relations, as a value to filter and sort by, and as the text to send. */
export interface EmbeddedRow {
  readonly value: JsonObject;
  readonly text: string;
}

/** Adds relations to a row. */
export type Embed = (row: EmbeddedRow) => EmbeddedRow;

/** The collections that take part in `_embed` names: a plural stands for children, a singular for the parent. */
export function embeddedCollections({ store }: Service, names: readonly string[]): string[] {
  return names.map(collectionFor).filter((name) => store.kindOf(name) === "collection");
}

function collectionFor(name: string): string {
  return isSingular(name) ? pluralize.plural(name) : name;
}

function isSingular(name: string): boolean {
  return pluralize.singular(name) === name;
}

/** Prepares `_embed` for the rows of a collection. An unknown name adds nothing, as in 1.0. */
export async function createEmbed(service: Service, listed: Listed, names: readonly string[]): Promise<Embed> {
  const embeds = await Promise.all(names.map((name) => createOne(service, listed, name)));
  return (row) => embeds.reduce((embedded, embed) => embed(embedded), row);
}

interface Listed {
  readonly collection: string;
  readonly rows: readonly EmbeddedRow[];
}

async function createOne(service: Service, { collection, rows }: Listed, name: string): Promise<Embed> {
  const { store } = service;
  const other = collectionFor(name);
  if (store.kindOf(other) !== "collection") return (row) => row;
  if (isSingular(name)) {
    const key = await foreignKey(service, collection, name);
    const field = store.idKeyOf(other);
    const parents = await store.related(other, { field, isList: false }, textsAt(rows, key));
    return (row) => {
      const [parent] = parents.get(keyText(row.value[key])) ?? [];
      return parent ? withField(row, name, parent) : row;
    };
  }
  const key = await foreignKey(service, other, pluralize.singular(collection));
  const idKey = store.idKeyOf(collection);
  const children = await store.related(other, { field: key, isList: false }, textsAt(rows, idKey));
  return (row) => {
    const found: readonly StoredRecord[] = children.get(keyText(row.value[idKey])) ?? [];
    const value = found.map((child) => child.value);
    return withField(row, name, { value, text: `[${found.map(({ text }) => text).join(",")}]` });
  };
}

function textsAt(rows: readonly EmbeddedRow[], field: string): ReadonlySet<string> {
  return new Set(rows.flatMap(({ value }) => keyText(value[field]) || []));
}

function keyText(value: Json | undefined): string {
  return value === undefined || value === null ? "" : textOf(value);
}

function withField(
  { value, text }: EmbeddedRow,
  name: string,
  field: { readonly value: Json; readonly text: string },
): EmbeddedRow {
  const embedded = { ...value, [name]: field.value };
  if (Object.hasOwn(value, name)) return { value: embedded, text: stringifyJson(embedded) };
  const separator = text === "{}" ? "" : ",";
  return { value: embedded, text: `${text.slice(0, -1)}${separator}${JSON.stringify(name)}:${field.text}}` };
}

/** The records of a collection that are objects, as rows. */
export function rowsOf(records: readonly StoredRecord[]): EmbeddedRow[] {
  return records.flatMap(({ value, text }) => (isJsonObject(value) ? [{ value, text }] : []));
}
