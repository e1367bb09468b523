import { conditionsIn } from "./filter.ts";
import type { Path } from "./path.ts";
import type { Query } from "./query.ts";

/** Every path into the records that a query mentions, whether for a filter, an order, fields or groups. */
export function mentionedPaths({ where, sort, fields, grouping, embed, expand }: Query): Path[] {
  const conditions = where.flatMap(conditionsIn).filter(({ isFromPath }) => !isFromPath);
  // The rows of groups are sorted by their own columns.
  const sorted = grouping ? [] : sort.filter(({ path }) => path.text !== "");
  const added = new Set([...embed, ...expand].map((name) => name.split(".")[0]));
  const selected = fields?.paths.filter(({ segments }) => !added.has(segments[0])) ?? [];
  const aggregated = grouping?.aggregates.flatMap(({ path }) => path ?? []) ?? [];
  return [...conditions, ...sorted].map(({ path }) => path).concat(selected, grouping?.paths ?? [], aggregated);
}
