import { ExactNumber } from "../exact/exact-number.ts";

/** The keys of all objects in a value. */
export function countKeys(root: unknown): number {
  let count = 0;
  const open = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length; at++)
        if (typeof value[at] === "object" && value[at] !== null) open.push(value[at]);
      continue;
    }
    if (typeof value !== "object" || value === null || value instanceof ExactNumber) continue;
    for (const key in value) {
      count++;
      const inner = (value as Record<string, unknown>)[key];
      if (typeof inner === "object" && inner !== null) open.push(inner);
    }
  }
  return count;
}

/** The same in less time; undefined if objects and arrays are nested deeper than so many levels. */
export function countShallowKeys(value: unknown, levels: number): number | undefined {
  const count = typeof value === "object" && value !== null ? keysWithin(value, levels) : 0;
  return Number.isNaN(count) ? undefined : count;
}

/** Hot path of every start: the loops check for objects themselves, because a call for each plain value costs double. */
function keysWithin(value: object, levels: number): number {
  if (levels === 0) return Number.NaN;
  let count = 0;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      const inner: unknown = value[at];
      if (typeof inner === "object" && inner !== null) count += keysWithin(inner, levels - 1);
    }
    return count;
  }
  if (value instanceof ExactNumber) return 0;
  for (const key in value) {
    count++;
    const inner = (value as Record<string, unknown>)[key];
    if (typeof inner === "object" && inner !== null) count += keysWithin(inner, levels - 1);
  }
  return count;
}
