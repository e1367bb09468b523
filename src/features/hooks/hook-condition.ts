import type { Json } from "../../base/json/json.ts";
import { meets } from "../../query/filter.ts";
import { CLASSIC, LATER } from "../../query/parameters.ts";
import { parseParameters, parseQuery } from "../../query/parse-query.ts";
import type { Filter } from "../../query/query.ts";

const BEFORE = "before.";
const COMBINING: ReadonlySet<string> = new Set(["_or", "_where"]);

/** The `if` of a hook: filters on a record, and on the record before a change. */
export interface HookCondition {
  readonly now: readonly Filter[];
  readonly before: readonly Filter[];
}

export const ALWAYS: HookCondition = { now: [], before: [] };

/** Reads filters as they stand in an address. Throws QUERY_INVALID, or an `Error` for a parameter that is no filter. */
export function readCondition(text: string): HookCondition {
  const now = new Map<string, string[]>();
  const before = new Map<string, string[]>();
  for (const [name, values] of parseParameters(text)) {
    const isOfBefore = name.startsWith(BEFORE);
    const field = isOfBefore ? name.slice(BEFORE.length) : name;
    if (CLASSIC.has(field) || (LATER.has(field) && !COMBINING.has(field))) {
      throw new Error(`has the parameter ${name}; a condition has filters, _or and _where.`);
    }
    (isOfBefore ? before : now).set(field, [...values]);
  }
  return { now: parseQuery(now).where, before: parseQuery(before).where };
}

/** A condition on the record before a change is met by no new record. */
export function isMet({ now, before }: HookCondition, record: Json, former: Json | undefined): boolean {
  if (!now.every((filter) => meets(record, filter))) return false;
  return before.length === 0 || (former !== undefined && before.every((filter) => meets(former, filter)));
}
