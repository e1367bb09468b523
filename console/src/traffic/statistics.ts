import type { Entry } from "./entry.ts";

/** The value below which `share` percent of the values lie (nearest rank); undefined of nothing. */
export function percentile(sorted: readonly number[], share: number): number | undefined {
  if (sorted.length === 0) return undefined;
  return sorted[Math.max(0, Math.ceil((share / 100) * sorted.length) - 1)];
}

export interface Percentiles {
  readonly p50: number | undefined;
  readonly p95: number | undefined;
  readonly p99: number | undefined;
}

export function percentilesOf(entries: readonly Entry[]): Percentiles {
  const sorted = entries.map((entry) => entry.durationMs).sort((a, b) => a - b);
  return { p50: percentile(sorted, 50), p95: percentile(sorted, 95), p99: percentile(sorted, 99) };
}

/** The requests of one second. */
export interface Second {
  readonly count: number;
  readonly failed: number;
  readonly p95: number | undefined;
}

/** The last `seconds` seconds before `now`, oldest first. */
export function perSecond(entries: readonly Entry[], now: number, seconds: number): Second[] {
  const slots: Entry[][] = Array.from({ length: seconds }, () => []);
  const last = Math.floor(now / 1000);
  for (const entry of entries) {
    const slot = seconds - 1 - (last - Math.floor(Date.parse(entry.time) / 1000));
    slots[slot]?.push(entry);
  }
  return slots.map((slot) => ({
    count: slot.length,
    failed: slot.filter((entry) => entry.status >= 400).length,
    p95: percentilesOf(slot).p95,
  }));
}
