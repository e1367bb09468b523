import { ExactNumber } from "./exact-number.ts";

/** The value with doubles in place of exact numbers, made by `toNumber`. Shares everything else; itself if it has none. */
export function withDoubles<T>(value: T, toNumber: (exact: ExactNumber) => unknown = Number): T {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof ExactNumber) return toNumber(value) as T;
  let copy: Record<string, unknown> | undefined;
  for (const key in value) {
    const inner = value[key];
    if (typeof inner !== "object" || inner === null) continue;
    const plain: unknown = withDoubles(inner, toNumber);
    if (plain === inner) continue;
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
    // Defined rather than set, because the key may be `__proto__`.
    Object.defineProperty(copy, key, { value: plain });
  }
  return (copy ?? value) as T;
}

/**
 * The value with the exact numbers of an earlier one, wherever it has their nearest doubles: programs that see doubles
 * write them back.
 */
export function withExactOf<T>(value: T, before: unknown): T {
  if (before instanceof ExactNumber)
    return (value === before.toJSON() || isNullFor(value, before) ? before : value) as T;
  if (typeof value !== "object" || value === null || typeof before !== "object" || before === null) return value;
  if (Array.isArray(value) !== Array.isArray(before)) return value;
  let copy: Record<string, unknown> | undefined;
  for (const key in before) {
    const former = (before as Record<string, unknown>)[key];
    if (typeof former !== "object" || former === null || !Object.hasOwn(value, key)) continue;
    const inner = (value as Record<string, unknown>)[key];
    const exact = withExactOf(inner, former);
    if (exact === inner) continue;
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
    Object.defineProperty(copy, key, { value: exact });
  }
  return (copy ?? value) as T;
}

/** Infinity, the nearest double of 1e400, is null in JSON. */
function isNullFor(value: unknown, { nearest }: ExactNumber): boolean {
  return value === null && !Number.isFinite(nearest);
}
