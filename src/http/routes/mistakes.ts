import { didYouMean, nearest } from "../../base/nearest.ts";
import type { Reporter } from "../../base/reporter.ts";
import { OPERATOR_NAMES } from "../../query/operator-table.ts";
import { PARAMETERS } from "../../query/parameters.ts";
import type { DataService } from "../contract.ts";

/** The most names to remember; later ones are not hinted at. */
const MAX_HINTS = 1000;
/** The most characters of a name to show. */
const MAX_SHOWN = 80;

const hinted = new WeakMap<Reporter, Set<string>>();

/**
 * Says on the terminal that a parameter was ignored, if it looks like a mistake: it begins with `_`, or ends nearly like an
 * operator. Once for each name.
 */
export function hintAtMistakes({ reporter }: DataService, collection: string, names: readonly string[]): void {
  if (!reporter.request) return;
  const known = hinted.get(reporter) ?? new Set();
  hinted.set(reporter, known);
  for (const name of names) {
    if (known.has(name) || known.size >= MAX_HINTS) continue;
    const hint = hintFor(name);
    if (hint === undefined) continue;
    known.add(name);
    reporter.note(`${shown(name)}: no record of ${collection} has such a field, so it was ignored.${hint}`);
  }
}

/** A name as one short line, whatever a client puts into it. */
function shown(name: string): string {
  const line = name.replace(/\p{C}/gu, "\ufffd");
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}...` : line;
}

function hintFor(name: string): string | undefined {
  if (name.startsWith("_")) return didYouMean(name, PARAMETERS);
  const [, field = "", suffix] = /^(.+)_([A-Za-z]+)$/.exec(name) ?? [];
  const operator = suffix === undefined ? undefined : nearest(suffix, OPERATOR_NAMES);
  return operator === undefined ? undefined : ` Did you mean "${shown(field)}:${operator}"?`;
}
