import { askJson } from "../../api/ask.ts";
import type { JsonObject } from "../../api/json.ts";
import { idKeyOf, type Overview } from "../../api/overview.ts";
import { formatParameters } from "../../api/parameters.ts";
import { labelOf, NAMING } from "../../records/relations.ts";
import { fitOf } from "./match.ts";

/** A record that was looked for by its id. */
export interface FoundRecord {
  readonly collection: string;
  readonly id: string;
  readonly label: string | undefined;
}

export interface Lookup {
  readonly collection: string;
  readonly id: string;
}

/** The most collections that one id is looked for in. */
const MOST_LOOKUPS = 12;

/**
 * The places where a record may be meant: `products 12` and `products/12` name the collection, `12` none. A word without a
 * digit is hardly an id.
 */
export function lookupsFor(typed: string, { members }: Overview): Lookup[] {
  const text = typed.trim();
  const names = members.filter(({ kind }) => kind === "collection").map(({ name }) => name);
  const named = splitsOf(text)
    .flatMap(({ first, id }) => names.map((collection) => ({ collection, id, fit: fitOf(collection, first) })))
    .filter(({ fit }) => fit >= 1)
    .sort((a, b) => b.fit - a.fit)
    .map(({ collection, id }) => ({ collection, id }));
  if (named.length > 0 || !/^\S*\d\S*$/.test(text)) return named.slice(0, MOST_LOOKUPS);
  return names.slice(0, MOST_LOOKUPS).map((collection) => ({ collection, id: text }));
}

/** A collection and an id may both contain what separates them. */
function splitsOf(text: string): { readonly first: string; readonly id: string }[] {
  return [...text.matchAll(/\s*[\s/]\s*/g)]
    .map(({ index, 0: { length } }) => ({ first: text.slice(0, index), id: text.slice(index + length) }))
    .filter(({ first, id }) => first !== "" && id !== "");
}

/** Those that there are. By a list, since a record that is missing is no error here. */
export async function findRecords(typed: string, overview: Overview, signal: AbortSignal): Promise<FoundRecord[]> {
  const found = await Promise.all(
    lookupsFor(typed, overview).map(async ({ collection, id }): Promise<FoundRecord[]> => {
      const idKey = idKeyOf(overview, collection);
      const query = formatParameters([
        [idKey, id],
        ["_fields", [idKey, ...NAMING].join(",")],
        ["_limit", "1"],
      ]);
      const path = `/${encodeURIComponent(collection)}?${query}`;
      const records = await askJson<JsonObject[]>("GET", path, { signal }).catch(() => []);
      return records.map((record) => ({ collection, id: String(record[idKey]), label: labelOf(record) }));
    }),
  );
  return found.flat();
}
