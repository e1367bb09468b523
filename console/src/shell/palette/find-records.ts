import { ask } from "../../api/ask.ts";
import type { JsonObject } from "../../api/json.ts";
import { idKeyOf, type Overview } from "../../api/overview.ts";
import { formatParameters, type Pair } from "../../api/parameters.ts";
import type { NamedRecord } from "../../records/recent-records.ts";
import { labelOf, NAMING } from "../../records/relations.ts";
import { fitOf } from "./match.ts";

/** The records of one collection that fit what was typed. */
export interface Finding {
  readonly collection: string;
  /** The first of them. */
  readonly records: readonly NamedRecord[];
  readonly total: number;
  /** Whether they were found by their id, not by their content. */
  readonly isById: boolean;
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

/** The most collections that are searched, and the most records that each may list. */
const MOST_SEARCHES = 40;
const MOST_RECORDS = 3;
/** One letter is in nearly every record. */
const SHORTEST_SEARCH = 2;

/** Looks for records by their ids, and by a text anywhere in them. */
export async function findRecords(typed: string, overview: Overview, signal: AbortSignal): Promise<Finding[]> {
  const find = finderIn(overview, signal);
  const text = typed.trim();
  const byId = lookupsFor(text, overview).map(({ collection, id }) =>
    find(collection, [idKeyOf(overview, collection), id]),
  );
  const searched = overview.members.filter(({ kind, count }) => kind === "collection" && count > 0);
  const places = text.length < SHORTEST_SEARCH ? [] : searched.slice(0, MOST_SEARCHES);
  const byText = places.map(({ name }) => find(name, ["q", text]));
  const [first, second] = await Promise.all([Promise.all(byId), Promise.all(byText)]);
  const known = new Set(first.flatMap(({ records }) => records.map(({ collection, id }) => `${collection} ${id}`)));
  return [
    ...first,
    ...second.map((finding) => ({
      ...finding,
      records: finding.records.filter(({ collection, id }) => !known.has(`${collection} ${id}`)),
    })),
  ].filter(({ records }) => records.length > 0);
}

/** By a list, since a record that is missing is no error here. */
function finderIn(overview: Overview, signal: AbortSignal) {
  return async (collection: string, [name, value]: Pair): Promise<Finding> => {
    const idKey = idKeyOf(overview, collection);
    const query = formatParameters([
      [name, value],
      ["_fields", [idKey, ...NAMING].join(",")],
      ["_limit", String(MOST_RECORDS)],
    ]);
    const path = `/${encodeURIComponent(collection)}?${query}`;
    const answer = await ask("GET", path, { signal }).catch(() => undefined);
    const records = JSON.parse(answer?.text ?? "[]") as JsonObject[];
    return {
      collection,
      records: records.map((record) => ({ collection, id: String(record[idKey]), label: labelOf(record) })),
      total: Number(answer?.headers.get("X-Total-Count") ?? records.length),
      isById: name !== "q",
    };
  };
}
