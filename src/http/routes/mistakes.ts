import { messageOf } from "../../base/errors.ts";
import { isJsonObject } from "../../base/json/json.ts";
import type { Reporter } from "../../base/reporter.ts";
import { meantName } from "../../query/meant-name.ts";
import { EVERYTHING } from "../../query/parse-query.ts";
import type { Path } from "../../query/path.ts";
import type { Query } from "../../query/query.ts";
import type { DataService } from "../contract.ts";
import { type RelationNames, refuseUnknownRelations } from "../relations/unknown-relations.ts";
import { warningOf } from "../response/warning.ts";

/** The most names to remember; later ones are not printed. */
const MAX_HINTS = 1000;
/** The most characters of a name to show. */
const MAX_SHOWN = 80;
/** Shorter names are cache busters more often than fields. */
const MIN_FIELD = 3;
/** The records whose fields are candidates. */
const SAMPLE: Query = { ...EVERYTHING, window: { kind: "slice", start: 0, end: 20 } };

/** Names of requests: those that were printed, and those that are no mistake. */
interface Seen {
  readonly printed: Set<string>;
  readonly harmless: Set<string>;
}

const seenBy = new WeakMap<Reporter, Seen>();

/** The header of a response to a request with mistakes; empty without. */
export type Warned = { readonly Warning?: string };

const NOTHING: Warned = {};

export interface Suspects {
  readonly collection: string;
  /** Plain filters on fields that no record has. */
  readonly ignored: readonly string[] | undefined;
  readonly sort: Query["sort"];
  /** Fields that the response is to have alone. */
  readonly fields?: readonly Path[];
}

/**
 * Says on the terminal, once for each name, and in the `Warning` of the response that a filter was ignored, or that an order or a
 * wish for a field has no effect, if the name looks like a mistake.
 */
export function warnOfMistakes(
  service: DataService,
  { collection, ignored, sort, fields = [] }: Suspects,
): Promise<Warned> | undefined {
  const { harmless } = seenOf(service);
  const names = (ignored ?? []).filter((name) => !harmless.has(`${collection}?${name}`));
  if (names.length === 0 && sort.length === 0 && fields.length === 0) return undefined;
  return explain(service, { collection, ignored: names, sort, fields });
}

/** The same for the relations that a request names. */
export async function warnOfRelations(service: DataService, names: RelationNames): Promise<Warned> {
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

async function explain(service: DataService, { collection, ignored, sort, fields = [] }: Suspects): Promise<Warned> {
  const { store } = service;
  const wishes = [...sort.map(({ path }) => ["_sort", path.text]), ...fields.map(({ text }) => ["_fields", text])];
  const paths = wishes.map(([, path = ""]) => path);
  const held = paths.length === 0 ? undefined : await store.heldPaths(collection, paths);
  const { records } = await store.find(collection, SAMPLE);
  if (records.length === 0) return NOTHING;
  const names = [...new Set(records.flatMap(({ value }) => (isJsonObject(value) ? Object.keys(value) : [])))];
  const lines = wishes
    .filter(([, path = ""]) => path !== "" && !held?.has(path))
    .map(
      ([parameter, path = ""]) =>
        `${parameter}=${shown(path)}: no record of ${collection} has such a field.${hint(meantName(path, names))}`,
    );
  for (const name of ignored ?? []) {
    const meant = name.length < MIN_FIELD ? undefined : meantName(name, names);
    if (meant === undefined && !name.startsWith("_")) remember(seenOf(service).harmless, `${collection}?${name}`);
    else lines.push(`${shown(name)}: no record of ${collection} has such a field, so it was ignored.${hint(meant)}`);
  }
  return warned(service, lines);
}

function hint(meant: string | undefined): string {
  return meant === undefined ? "" : ` Did you mean "${shown(meant)}"?`;
}

function warned(service: DataService, lines: readonly string[]): Warned {
  if (lines.length === 0) return NOTHING;
  const { printed } = seenOf(service);
  for (const line of lines) {
    const [name = ""] = line.split(":");
    if (!service.reporter.request || printed.has(name) || printed.size >= MAX_HINTS) continue;
    printed.add(name);
    service.reporter.note(line);
  }
  return { Warning: warningOf("Probably a mistake", lines) };
}

function seenOf({ reporter }: DataService): Seen {
  const seen = seenBy.get(reporter) ?? { printed: new Set(), harmless: new Set() };
  seenBy.set(reporter, seen);
  return seen;
}

function remember(names: Set<string>, name: string): void {
  if (names.size < MAX_HINTS) names.add(name);
}

/** A name as one short line, whatever a client puts into it. */
function shown(name: string): string {
  const line = name.replace(/\p{C}/gu, "\ufffd");
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}...` : line;
}
