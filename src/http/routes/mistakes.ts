import { messageOf } from "../../base/errors.ts";
import { isJsonObject, type Json } from "../../base/json/json.ts";
import type { Reporter } from "../../base/reporter.ts";
import { meantName, meantOrder } from "../../query/meant-name.ts";
import { selectedPaths } from "../../query/mentioned-paths.ts";
import { parsePath } from "../../query/path.ts";
import type { Grouping, Query } from "../../query/query.ts";
import type { Call } from "../call.ts";
import type { DataService } from "../contract.ts";
import { type RelationNames, refuseUnknownRelations } from "../relations/unknown-relations.ts";
import { warningOf } from "../response/warning.ts";
import type { Listed } from "./list-forms.ts";
import { explainOddities, type Oddities } from "./oddities.ts";
import {
  FIRST_RECORDS,
  type RecordWish,
  refuseUnknownOfSingleton,
  type SingletonWish,
  unknownOrder,
  unknownParameters,
  unknownSortColumn,
} from "./strict.ts";

/*
 * Requests that name something in vain get what they would without it. The terminal says so, once for each name, and so does the
 * `Warning` of the response, if the name looks like a mistake.
 */

/** The most names to remember; later ones are not printed. */
const MAX_HINTS = 1000;
/** The most characters of a name, and of a line, to show. */
const MAX_SHOWN = 80;
const MAX_LINE = 400;
/** Shorter names are cache busters more often than fields. */
const MIN_FIELD = 3;
const SORT = "_sort=";

/** Names of requests: those that were printed, and those that are no mistake. */
interface Seen {
  readonly printed: Set<string>;
  readonly harmless: Set<string>;
}

const seenBy = new WeakMap<Reporter, Seen>();
/** Paths that records have, by store, each behind its collection and `?`: no page is to pay for finding that out again. */
export const knownPaths = new WeakMap<object, Set<string>>();

/** The header of a response to a request with mistakes; empty without. */
export type Warned = { readonly Warning?: string };

const NOTHING: Warned = {};

/** A field that a parameter names, such as the `pric` behind `_sort=`. */
interface Wish {
  /** The parameter up to the name. */
  readonly prefix: string;
  readonly path: string;
}

interface Suspects {
  readonly collection: string;
  /** Filters, and parameters of records, that have no effect. */
  readonly ignored: readonly string[] | undefined;
  readonly wishes: readonly Wish[];
  /** Mistakes that were found already. */
  readonly found?: readonly string[];
  readonly odd?: Oddities | undefined;
}

interface ListWish {
  readonly collection: string;
  readonly query: Query;
  readonly ignored: readonly string[] | undefined;
  readonly odd: Oddities | undefined;
}

/** Warns of filters and orders of a list of whole records; undefined if there is nothing to say. */
export function warnOfPlainList(
  service: DataService,
  collection: string,
  { ignored, sort = [], odd }: Pick<Listed, "ignored" | "sort"> & Pick<ListWish, "odd">,
): Promise<Warned> | undefined {
  return warnOf(service, { collection, ignored, wishes: sortWishes(sort), found: unknownOrder(sort), odd });
}

/** Warns of everything that a list request can name. */
export async function warnOfList(service: DataService, { collection, query, ignored, odd }: ListWish): Promise<Warned> {
  const { embed, expand, grouping, sort } = query;
  const warned = await warnOfRelations(service, { collection, embed, expand });
  if (warned.Warning !== undefined) return warned;
  // The rows of groups are sorted by their own columns.
  const column = grouping && unknownSortColumn(grouping, sort);
  const found = [...(column === undefined ? [] : [column]), ...unknownOrder(sort)];
  const wishes = [...(grouping ? groupWishes(grouping) : sortWishes(sort)), ...fieldWishes(query)];
  return (await warnOf(service, { collection, ignored, wishes, found, odd })) ?? NOTHING;
}

/** Warns of everything that a request for one record can name. */
export async function warnOfRecord(service: DataService, wish: Omit<RecordWish, "id">): Promise<Warned> {
  const { collection, embed, expand, parameters } = wish;
  const warned = await warnOfRelations(service, { collection, embed, expand });
  if (warned.Warning !== undefined) return warned;
  const ignored = unknownParameters(parameters);
  return (await warnOf(service, { collection, ignored, wishes: fieldWishes(wish) })) ?? NOTHING;
}

/** Says of a request what it is seldom meant to do: in the log, and in the `Warning` of the response. */
export function warnOfRequest(call: Call, service: DataService, line: string): void {
  const { Warning } = warned(service, [line]);
  call.warning = call.warning === undefined ? Warning : `${call.warning}, ${Warning}`;
}

/** The same for a singleton. */
export function warnOfSingleton(service: DataService, wish: SingletonWish): Warned {
  try {
    refuseUnknownOfSingleton(wish);
    return NOTHING;
  } catch (thrown) {
    return warned(service, [messageOf(thrown)]);
  }
}

/** Relations come first: a response without them is seldom what was meant. */
async function warnOfRelations(service: DataService, names: RelationNames): Promise<Warned> {
  if (names.embed.length === 0 && names.expand.length === 0) return NOTHING;
  const { harmless } = seenOf(service);
  const key = [names.collection, ...names.embed, "", ...names.expand].join("?");
  if (harmless.has(key)) return NOTHING;
  try {
    await refuseUnknownRelations(service, names);
    remember(harmless, key);
    return NOTHING;
  } catch (thrown) {
    return warned(service, [messageOf(thrown)]);
  }
}

function sortWishes(sort: Query["sort"]): Wish[] {
  return sort.map(({ path }) => ({ prefix: SORT, path: path.text }));
}

function fieldWishes(query: Parameters<typeof selectedPaths>[0]): Wish[] {
  return selectedPaths(query).map(({ text }) => ({ prefix: "_fields=", path: text }));
}

function groupWishes({ paths, aggregates }: Grouping): Wish[] {
  const aggregated = aggregates.flatMap(({ kind, path }) =>
    path ? [{ prefix: `_aggregate=${kind}:`, path: path.text }] : [],
  );
  return [...paths.map(({ text }) => ({ prefix: "_group=", path: text })), ...aggregated];
}

function isKnown({ store }: DataService, collection: string, path: string): boolean {
  return path === "" || knownPaths.get(store)?.has(`${collection}?${path}`) === true;
}

/** Undefined if all names are known from earlier requests. */
function warnOf(service: DataService, suspects: Suspects): Promise<Warned> | undefined {
  const { collection, found = [], odd } = suspects;
  const { harmless } = seenOf(service);
  const ignored = suspects.ignored?.filter((name) => !harmless.has(`${collection}?${name}`)) ?? [];
  const wishes = suspects.wishes.filter(({ path }) => !isKnown(service, collection, path));
  if (ignored.length === 0 && wishes.length === 0 && found.length === 0 && !odd) return undefined;
  return explain(service, { collection, ignored, wishes, found, odd });
}

async function explain(
  service: DataService,
  { collection, ignored, wishes, found, odd }: Required<Suspects>,
): Promise<Warned> {
  const { store } = service;
  const paths = wishes.map(({ path }) => path);
  const held = paths.length === 0 ? undefined : await store.heldPaths(collection, paths);
  const sample = await store.find(collection, FIRST_RECORDS);
  const records = sample.records.map(({ value }) => value);
  if (records.length === 0) return NOTHING;
  const names = namesIn(records);
  const lines = [...found, ...explainOddities(odd, records)];
  for (const { prefix, path } of wishes) {
    if (held?.has(path)) rememberPath(store, `${collection}?${path}`);
    else {
      const meant = prefix === SORT ? meantOrder(path, names) : meantName(path, names);
      lines.push(`${prefix}${shown(path)}: no record of ${collection} has such a field.${hint(meant)}`);
    }
  }
  for (const name of ignored ?? []) {
    const [first = "", ...inner] = parsePath(name).segments;
    const isNested = inner.length > 0;
    const candidates = isNested ? [...names, ...namesBelow(first, records)] : names;
    const meant = name.length < MIN_FIELD ? "" : hint(meantName(name, candidates));
    if (meant === "" && !isNested && !name.startsWith("_")) remember(seenOf(service).harmless, `${collection}?${name}`);
    else lines.push(`${shown(name)}: no record of ${collection} has such a field, so it was ignored.${meant}`);
  }
  return warned(service, lines);
}

function namesIn(records: readonly Json[]): string[] {
  return [...new Set(records.flatMap((record) => (isJsonObject(record) ? Object.keys(record) : [])))];
}

/** The fields of an object in the records, such as `category.name`. */
function namesBelow(field: string, records: readonly Json[]): string[] {
  const objects = records.flatMap((record) =>
    isJsonObject(record) && Object.hasOwn(record, field) ? (record[field] ?? []) : [],
  );
  return namesIn(objects.flat()).map((name) => `${field}.${name}`);
}

function hint(meant: string | undefined): string {
  return meant === undefined ? "" : ` Did you mean "${shown(meant)}"?`;
}

function warned(service: DataService, lines: readonly string[]): Warned {
  if (lines.length === 0) return NOTHING;
  const { printed } = seenOf(service);
  for (const line of lines) {
    const [name = ""] = line.split(": ");
    if (!service.reporter.request || printed.has(name) || printed.size >= MAX_HINTS) continue;
    printed.add(name);
    service.reporter.note(oneLine(line, MAX_LINE));
  }
  return { Warning: warningOf("Probably a mistake", lines) };
}

function seenOf({ reporter }: DataService): Seen {
  const seen = seenBy.get(reporter) ?? { printed: new Set(), harmless: new Set() };
  seenBy.set(reporter, seen);
  return seen;
}

function rememberPath(store: object, path: string): void {
  const known = knownPaths.get(store) ?? new Set();
  knownPaths.set(store, known);
  remember(known, path);
}

function remember(names: Set<string>, name: string): void {
  if (names.size < MAX_HINTS) names.add(name);
}

function shown(name: string): string {
  return oneLine(name, MAX_SHOWN);
}

/** A text as one short line, whatever a client puts into it. */
function oneLine(text: string, most: number): string {
  const line = text.replace(/\p{C}/gu, "\ufffd");
  return line.length > most ? `${line.slice(0, most)}...` : line;
}
