import type { Reporter } from "../../base/reporter.ts";
import type { Parameters } from "../../query/parameters.ts";
import type { FieldSelection, Query } from "../../query/query.ts";
import type { Call } from "../call.ts";
import type { DataService } from "../contract.ts";
import type { RelationNames } from "../relations/unknown-relations.ts";
import { warningOf } from "../response/warning.ts";
import {
  fieldMistakes,
  filteredFields,
  type Mistake,
  namedFields,
  oneLine,
  refuse,
  type SingletonWish,
  shapeMistakes,
  singletonMistakes,
  unknownParameters,
  unknownRelations,
  vainConditions,
} from "./mistakes.ts";

/** The most names to remember; later ones are not printed. */
const MAX_HINTS = 1000;
/** The most characters of a line in the log. */
const MAX_LINE = 400;
/** A range of media types that JSON is in, or a kind of JSON. */
const JSON_RANGE = /^\s*$|\*\/\*|application\/\*|json/i;

/** The headers that say how the mistakes of a request were handled. */
export type Told = { readonly Warning?: string; readonly "Preference-Applied"?: string };

const NOTHING: Told = {};
const STRICT_APPLIED: Told = { "Preference-Applied": "handling=strict" };

/** The names that were printed. */
const printedBy = new WeakMap<Reporter, Set<string>>();
/** Names without a mistake, by store, each behind its collection and `?`: no page is to pay for finding that out again. */
const knownIn = new WeakMap<object, Set<string>>();

interface ListWish {
  readonly collection: string;
  readonly query: Query;
  readonly parameters: Parameters;
}

/** Refuses what a list request names in vain. Filters on unknown fields count, even those that match nothing. */
export async function refuseInList(service: DataService, { collection, query, parameters }: ListWish): Promise<void> {
  refuse(shapeMistakes(query, parameters));
  refuse(await unknownRelations(service, { collection, ...query }));
  const named = [...filteredFields(query), ...namedFields(query)];
  refuse(await fieldMistakes(service, { collection, named, account: query.payer?.account }));
}

/** Refuses conditions that no record can meet, where a list is empty. */
export async function refuseVain(service: DataService, collection: string, query: Query): Promise<void> {
  refuse(await vainConditions(service, collection, query));
}

/** Warns of what a list request names in vain: of the filters that were ignored, and all else. */
export async function warnOfList(
  service: DataService,
  { collection, query, parameters, ignored = [], total }: ListWish & Ignoring,
): Promise<Told> {
  const { embed, expand } = query;
  if (embed.length > 0 || expand.length > 0) {
    const relations = await newlyUnknownRelations(service, { collection, embed, expand });
    // A response without relations is seldom what was meant.
    if (relations.length > 0) return told(service, relations);
  }
  const mistakes = shapeMistakes(query, parameters);
  if (total === 0 && query.where.length > 0) mistakes.push(...(await vainConditions(service, collection, query)));
  const named = [...ignored.map((path) => ({ path })), ...namedFields(query)];
  if (named.length > 0)
    mistakes.push(...(await fieldMistakes(service, { collection, named, known: knownOf(service) })));
  return told(service, mistakes);
}

interface Ignoring {
  readonly ignored: readonly string[] | undefined;
  readonly total: number;
}

export interface RecordWish extends RelationNames {
  readonly fields: FieldSelection | undefined;
  readonly parameters: Parameters;
}

/** Refuses or tells what a request for one record names in vain. */
export async function judgeRecord(service: DataService, wish: RecordWish, isStrict: boolean): Promise<Told> {
  const { collection, parameters } = wish;
  const named = [...unknownParameters(parameters), ...namedFields({ ...wish, sort: [], grouping: undefined })];
  if (!isStrict) {
    const relations = await newlyUnknownRelations(service, wish);
    return told(
      service,
      relations.length > 0 ? relations : await fieldMistakes(service, { collection, named, known: knownOf(service) }),
    );
  }
  refuse(await unknownRelations(service, wish));
  refuse(await fieldMistakes(service, { collection, named }));
  return STRICT_APPLIED;
}

/** The same for a singleton. */
export function judgeSingleton(service: DataService, wish: SingletonWish, isStrict: boolean): Told {
  const mistakes = singletonMistakes(wish);
  if (!isStrict) return told(service, mistakes);
  refuse(mistakes);
  return STRICT_APPLIED;
}

/** Refuses a request that is seldom meant as it is, or says so in the log and in the `Warning` of the response. */
export function judgeRequest(call: Call, service: DataService, mistake: Mistake): void {
  if (call.isStrict) refuse([mistake]);
  const { Warning } = told(service, [mistake]);
  call.warning = call.warning === undefined ? Warning : `${call.warning}, ${Warning}`;
}

/** A client that accepts no JSON gets JSON all the same, as in 0.17, and is told so. */
export function judgeAccept(call: Call, service: DataService): void {
  const { accept } = call.headers;
  if (accept === undefined || JSON_RANGE.test(accept) || call.callback !== undefined) return;
  judgeRequest(call, service, { code: "NOT_ACCEPTABLE", line: `Accept: ${accept}: responses are JSON.` });
}

async function newlyUnknownRelations(service: DataService, names: RelationNames): Promise<Mistake[]> {
  if (names.embed.length === 0 && names.expand.length === 0) return [];
  const known = knownOf(service);
  const key = [names.collection, ...names.embed, "", ...names.expand].join("?");
  if (known.has(key)) return [];
  const mistakes = await unknownRelations(service, names);
  if (mistakes.length === 0) known.add(key);
  return mistakes;
}

function told({ reporter }: DataService, mistakes: readonly Mistake[]): Told {
  const lines = mistakes.filter(({ isHarmless }) => !isHarmless).map(({ line }) => line);
  if (lines.length === 0) return NOTHING;
  const printed = printedBy.get(reporter) ?? new Set();
  printedBy.set(reporter, printed);
  for (const line of lines) {
    const [name = ""] = line.split(": ");
    if (!reporter.request || printed.has(name) || printed.size >= MAX_HINTS) continue;
    printed.add(name);
    reporter.note(oneLine(line, MAX_LINE));
  }
  return { Warning: warningOf("Probably a mistake", lines) };
}

function knownOf({ store }: DataService): Set<string> {
  const known = knownIn.get(store) ?? new Set();
  // More than a client needs, and no more than a server can hold.
  if (known.size >= MAX_HINTS) known.clear();
  knownIn.set(store, known);
  return known;
}
