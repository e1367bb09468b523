import { askJson } from "../../../api/ask.ts";
import type { JsonObject } from "../../../api/json.ts";
import { joinList } from "../../condition.ts";
import { formatParameters } from "../../list-query.ts";
import { labelOf, NAMING } from "../../relations.ts";
import type { Reference } from "../field-facts.ts";
import type { Id } from "../values/ids.ts";

/** More options than this are found by typing. */
export const MOST_OPTIONS = 30;

export interface RelationOption {
  readonly id: string;
  /** The id as the record has it. */
  readonly value: Id;
  /** Undefined for a record without a name. */
  readonly label: string | undefined;
}

/** The records whose id is the text, or whose name contains it; the first ones for an empty text. */
export async function findOptions(reference: Reference, text: string, signal: AbortSignal): Promise<RelationOption[]> {
  const { to, idKey, fields } = reference;
  const query = formatParameters([
    ...searchFor(text, idKey, fields),
    ...shownFields(idKey),
    ["_limit", `${MOST_OPTIONS}`],
  ]);
  const records = await askJson<JsonObject[]>("GET", `/${encodeURIComponent(to)}?${query}`, { signal });
  return records
    .map((record) => optionOf(record, idKey))
    .toSorted((a, b) => Number(b.id === text) - Number(a.id === text));
}

/** The records with certain ids, as far as there are any. */
export async function findNamed({ to, idKey }: Reference, ids: readonly string[]): Promise<RelationOption[]> {
  const query = formatParameters([[`${idKey}:in`, joinList(ids)], ...shownFields(idKey)]);
  const records = await askJson<JsonObject[]>("GET", `/${encodeURIComponent(to)}?${query}`);
  return records.map((record) => optionOf(record, idKey));
}

/** "12 · Ada Lovelace". */
export function optionWords({ id, label }: RelationOption): string {
  return label === undefined ? id : `${id} · ${label}`;
}

function searchFor(text: string, idKey: string, fields: readonly string[]): [string, string][] {
  if (text === "") return [];
  const naming = NAMING.filter((name) => fields.includes(name));
  if (naming.length === 0) return [["q", text]];
  return [["_or", `${idKey}=${text}`], ...naming.map((name): [string, string] => ["_or", `${name}:contains=${text}`])];
}

function shownFields(idKey: string): [string, string][] {
  return [["_fields", [idKey, ...NAMING].join(",")]];
}

function optionOf(record: JsonObject, idKey: string): RelationOption {
  const value = record[idKey] as Id;
  return { id: String(value), value, label: labelOf(record) };
}
