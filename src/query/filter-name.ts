import type { Operator } from "./operator.ts";
import { namePattern, operatorNamed } from "./operator-table.ts";
import { type Path, parsePath } from "./path.ts";

/** The operators of 0.17, as suffixes of a filter's name; without one it tests equality. */
const SUFFIX = new RegExp(`_(${namePattern(({ suffix }) => suffix === "always")})$`);
/** Operators that are suffixes, too, where the data leave no doubt: `price_gt=10`. */
const LATER_SUFFIX = new RegExp(`^(.+)_(${namePattern(({ suffix }) => suffix === "known")})$`);
/** Names that are kept; a client needs a few, and nobody can fill the memory with more. */
const MAX_KEPT = 500;
const MAX_LENGTH = 100;

/** The parts of a filter's name, as 0.17 reads it. */
export interface FilterName {
  /** The operator of 0.17 that it ends in. */
  readonly classic: Operator | undefined;
  /** The path before that operator, or the whole name. */
  readonly path: Path;
  /** The parts of a name such as `price_gt`, which may be a field or an operator behind one. */
  readonly later: { readonly path: string; readonly operator: Operator } | undefined;
}

/** Clients send the same few names over and over, so each is taken apart once. */
const namesTakenApart = new Map<string, FilterName>();

export function filterName(name: string): FilterName {
  const kept = namesTakenApart.get(name);
  if (kept) return kept;
  const [suffix = "", ending = ""] = SUFFIX.exec(name) ?? [];
  const [, path = "", known = ""] = LATER_SUFFIX.exec(name) ?? [];
  const operator = operatorNamed(known);
  const read: FilterName = {
    classic: operatorNamed(ending),
    path: parsePath(name.slice(0, name.length - suffix.length)),
    later: operator && { path, operator },
  };
  if (namesTakenApart.size < MAX_KEPT && name.length <= MAX_LENGTH) namesTakenApart.set(name, read);
  return read;
}
