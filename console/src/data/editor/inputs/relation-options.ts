import { askJson } from "../../../api/ask.ts";
import type { JsonObject } from "../../../api/json.ts";
import { formatParameters } from "../../../api/parameters.ts";
import { labelOf } from "../../../records/relations.ts";
import { joinList } from "../../condition.ts";
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

/** The records whose id is the text, or whose name has all of its words; the first ones for an empty text. */
export async function findOptions(reference: Reference, text: string, signal: AbortSignal): Promise<RelationOption[]> {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const isMeant = ({ id, label = "" }: RelationOption): boolean =>
    id === text || reference.naming.length === 0 || words.every((word) => label.toLowerCase().includes(word));
  const search = [...searchFor(text, words, reference), ["_limit", `${MOST_OPTIONS}`] as const];
  const options = (await ask(reference, search, signal)).filter(isMeant);
  return options.toSorted((a, b) => Number(b.id === text) - Number(a.id === text));
}

/** The records with certain ids, as far as there are any. */
export function findNamed(reference: Reference, ids: readonly string[]): Promise<RelationOption[]> {
  return ask(reference, [[`${reference.idKey}:in`, joinList(ids)]]);
}

async function ask(
  { to, idKey, naming }: Reference,
  parameters: readonly (readonly [string, string])[],
  signal?: AbortSignal,
): Promise<RelationOption[]> {
  const query = formatParameters([...parameters, ["_fields", [idKey, ...naming].join(",")]]);
  const path = `/${encodeURIComponent(to)}?${query}`;
  const records = await askJson<JsonObject[]>("GET", path, signal ? { signal } : {});
  return records.map((record) => {
    const value = record[idKey] as Id;
    return { id: String(value), value, label: labelOf(record) };
  });
}

/** The server looks for the longest word: a first and a last name may be in different fields. */
function searchFor(text: string, words: readonly string[], { idKey, naming }: Reference): [string, string][] {
  if (words.length === 0) return [];
  if (naming.length === 0) return [["q", text]];
  const word = words.reduce((longest, one) => (one.length > longest.length ? one : longest));
  return [["_or", `${idKey}=${text}`], ...naming.map((name): [string, string] => ["_or", `${name}:contains=${word}`])];
}

/** "12 · Ada Lovelace". */
export function optionWords({ id, label }: RelationOption): string {
  return label === undefined ? id : `${id} · ${label}`;
}
