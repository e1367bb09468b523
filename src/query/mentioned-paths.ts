import { conditionsIn } from "./filter.ts";
import type { Path } from "./path.ts";
import type { Query } from "./query.ts";

/** Every path into the records that a query mentions, whether for a filter, an order, fields or groups. */
export function mentionedPaths(query: Query): Path[] {
  const { where, sort, grouping } = query;
  const conditions = where.flatMap(conditionsIn).filter(({ isFromPath }) => !isFromPath);
  // The rows of groups are sorted by their own columns.
  const sorted = grouping ? [] : sort.filter(({ path }) => path.text !== "");
  const aggregated = grouping?.aggregates.flatMap(({ path }) => path ?? []) ?? [];
  return [...conditions, ...sorted]
    .map(({ path }) => path)
    .concat(selectedPaths(query), grouping?.paths ?? [], aggregated);
}

/** The paths of `_fields` that lead into the records themselves, not into what `_embed` and `_expand` add. */
export function selectedPaths({ fields, embed, expand }: Pick<Query, "fields" | "embed" | "expand">): readonly Path[] {
  if (!fields) return [];
  const added = new Set([...embed, ...expand].map((name) => name.split(".")[0]));
  return fields.paths.filter(({ segments }) => !added.has(segments[0]));
}
