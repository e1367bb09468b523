/** The parameters of a query string: each name with its values, in the order sent. */
export type Parameters = ReadonlyMap<string, readonly string[]>;

/** Parameters with a special meaning since 0.17; all others may be filters. jQuery adds `_` to bypass caches. */
export const CLASSIC: ReadonlySet<string> = new Set([
  "q",
  "_sort",
  "_order",
  "_page",
  "_limit",
  "_start",
  "_end",
  "_embed",
  "_expand",
  "_delay",
  "callback",
  "_",
]);

/** Parameters with a special meaning unless a record has a field of that name. */
export const LATER: ReadonlySet<string> = new Set([
  "_or",
  "_where",
  "_fields",
  "_per_page",
  "_after",
  "_group",
  "_aggregate",
  "_having",
]);

/** The names of all parameters that are not filters. */
export const PARAMETERS: readonly string[] = [...CLASSIC, ...LATER];

/** Names a moment of the past unless a record has a field of that name. Taken off before a query is read. */
export const AT = "_at";
