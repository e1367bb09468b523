const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const DURATION = /^(\d{1,9})(ms|s|m|h|d)$/;

/** The milliseconds of `500ms`, `3s`, `30m`, `1h` or `2d`; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit = ""] = DURATION.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (UNIT_MS[unit] ?? 0);
}
