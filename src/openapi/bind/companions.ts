import type { BoundParameter } from "./binding.ts";
import { plainName } from "./words.ts";

/** Parameters that say how another one compares: `dateCondition`, `price_operator`. */
const OF_COMPARISON = /^(.+?)(?:condition|operator|comparison|comparator|matchmode)$/;

/** Filters with the parameters beside them that say how they compare, and these. */
export function withCompanions(found: readonly BoundParameter[], names: readonly string[]): readonly BoundParameter[] {
  const companions = names.flatMap((name): { name: string; base: string }[] => {
    const stem = OF_COMPARISON.exec(plainName(name))?.[1];
    const base = found.find((one) => one.role === "filter" && one.name !== name && plainName(one.name) === stem);
    return base && !base.states && found.every((one) => one.name !== name) ? [{ name, base: base.name }] : [];
  });
  if (companions.length === 0) return found;
  return [
    ...found.map((one) => {
      const by = companions.find(({ base }) => base === one.name);
      return by ? { ...one, comparedBy: by.name } : one;
    }),
    ...companions.map(({ name }): BoundParameter => ({ name, role: "filter", isComparison: true })),
  ];
}
