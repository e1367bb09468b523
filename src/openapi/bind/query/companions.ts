import type { Parameter } from "../../read/api-document.ts";
import type { BoundParameter } from "../binding.ts";
import type { Shapes } from "../schema-shape.ts";
import { plainName } from "../words.ts";
import { namedFilter } from "./filter-names.ts";
import { isNoFilter } from "./record-filters.ts";

/** Parameters that say how another one compares: `dateCondition`, `price_operator`. */
const OF_COMPARISON = /^(.+?)(?:condition|operator|comparison|comparator|matchmode)$/;

/** Filters with the parameters beside them that say how they compare, these, and those that compare in other ways. */
export function withCompanions(
  shapes: Shapes,
  found: readonly BoundParameter[],
  parameters: readonly Parameter[],
): readonly BoundParameter[] {
  const unbound = parameters.filter(({ name, role }) => role !== "ignored" && found.every((one) => one.name !== name));
  const companions = unbound.flatMap(({ name }): { name: string; base: string }[] => {
    const stem = OF_COMPARISON.exec(plainName(name))?.[1];
    const base = found.find((one) => one.role === "filter" && plainName(one.name) === stem);
    return base && !base.states ? [{ name, base: base.name }] : [];
  });
  const others = unbound.flatMap((one) => comparedLikeOther(shapes, found, one) ?? []);
  if (companions.length + others.length === 0) return found;
  return [
    ...found.map((one) => {
      const by = companions.find(({ base }) => base === one.name);
      return by ? { ...one, comparedBy: by.name } : one;
    }),
    ...companions.map(({ name }): BoundParameter => ({ name, role: "filter", isComparison: true })),
    ...others,
  ];
}

/** `role__n` beside `role`, which filters by `device_role.slug`. */
function comparedLikeOther(
  shapes: Shapes,
  found: readonly BoundParameter[],
  parameter: Parameter,
): BoundParameter | undefined {
  const { name, schema } = parameter;
  const filter = namedFilter(name, (wanted) => {
    const base = found.find((one) => one.role === "filter" && plainName(one.name) === plainName(wanted));
    return base?.operator === undefined || base.operator === "contains" ? base?.field : undefined;
  });
  if (!filter?.operator || isNoFilter(parameter)) return undefined;
  const isFlag = schema !== undefined && shapes.of(schema).types.has("boolean");
  return isFlag && !/^!?null$/.test(filter.operator ?? "") ? undefined : { name, role: "filter", ...filter };
}
