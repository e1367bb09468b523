import { askJson } from "../../../api/ask.ts";
import type { JsonObject } from "../../../api/json.ts";
import { formatParameters } from "../../list-query.ts";
import { labelOf, NAMING } from "../../relations.ts";
import type { Reference } from "../field-facts.ts";

/** More options than this are found by typing. */
export const MOST_OPTIONS = 30;

export interface RelationOption {
  readonly id: string;
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

/** The record with an id; undefined if there is none. */
export async function findOption({ to, idKey }: Reference, id: string): Promise<RelationOption | undefined> {
  const query = formatParameters([[idKey, id], ...shownFields(idKey), ["_limit", "1"]]);
  const [record] = await askJson<JsonObject[]>("GET", `/${encodeURIComponent(to)}?${query}`);
  return record && optionOf(record, idKey);
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
  return { id: String(record[idKey]), label: labelOf(record) };
}
