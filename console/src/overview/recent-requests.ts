import { type Entry, isConsoleRead } from "../traffic/entry.ts";

/** The requests of a short time, in slots of equal length. */
export interface RecentRequests {
  readonly counts: readonly number[];
  readonly failed: readonly number[];
  readonly total: number;
  readonly totalFailed: number;
}

export const SLOTS = 60;
export const SLOT_MS = 5_000;
export const MINUTES = (SLOTS * SLOT_MS) / 60_000;

/** Counts the requests of the last minutes; the newest slot is the last. Reads of the console are left out. */
export function recentRequests(entries: readonly Entry[], now: number): RecentRequests {
  const counts = Array.from({ length: SLOTS }, () => 0);
  const failed = Array.from({ length: SLOTS }, () => 0);
  const last = Math.floor(now / SLOT_MS);
  for (const entry of entries) {
    if (isConsoleRead(entry)) continue;
    const slot = SLOTS - 1 - (last - Math.floor(Date.parse(entry.time) / SLOT_MS));
    if (slot < 0) continue;
    // The clock of the server may be ahead.
    const at = Math.min(slot, SLOTS - 1);
    counts[at] = (counts[at] ?? 0) + 1;
    if (entry.status === 0 || entry.status >= 400) failed[at] = (failed[at] ?? 0) + 1;
  }
  return { counts, failed, total: sum(counts), totalFailed: sum(failed) };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
