import { timeStep } from "../ui/charts/ticks.ts";
import type { Entry } from "./entry.ts";
import type { TimeRange } from "./entry-filter.ts";

/** The value below which `share` percent of the values lie (nearest rank); undefined of nothing. */
export function percentile(sorted: readonly number[], share: number): number | undefined {
  if (sorted.length === 0) return undefined;
  return sorted[Math.max(0, Math.ceil((share / 100) * sorted.length) - 1)];
}

export interface Percentiles {
  readonly p50: number | undefined;
  readonly p95: number | undefined;
  readonly p99: number | undefined;
  readonly max: number | undefined;
}

export function percentilesOf(entries: readonly Entry[]): Percentiles {
  const sorted = entries.map((entry) => entry.durationMs).sort((a, b) => a - b);
  return {
    p50: percentile(sorted, 50),
    p95: percentile(sorted, 95),
    p99: percentile(sorted, 99),
    max: sorted.at(-1),
  };
}

/** The requests of a stretch of time, by the class of their status. */
export interface Slot {
  readonly from: number;
  readonly count: number;
  readonly rejected: number;
  /** With a status of 5xx, or without a response. */
  readonly failed: number;
  readonly p95: number | undefined;
}

/** Stretches of time of the same length, one after the other. */
export interface TimeSlots extends TimeRange {
  readonly stepMs: number;
  readonly slots: readonly Slot[];
}

const MOST_SLOTS = 60;

/** Sorts the entries of the time before `now` into at most 60 slots of a round length. */
export function timeSlots(entries: readonly Entry[], now: number, spanMs: number): TimeSlots {
  const stepMs = timeStep(spanMs, MOST_SLOTS);
  const count = Math.max(1, Math.ceil(spanMs / stepMs));
  const to = (Math.floor(now / stepMs) + 1) * stepMs;
  const from = to - count * stepMs;
  const groups: Entry[][] = Array.from({ length: count }, () => []);
  for (const entry of entries) groups[Math.floor((Date.parse(entry.time) - from) / stepMs)]?.push(entry);
  return { from, to, stepMs, slots: groups.map((group, index) => slotOf(group, from + index * stepMs)) };
}

function slotOf(entries: readonly Entry[], from: number): Slot {
  return {
    from,
    count: entries.length,
    rejected: entries.filter(({ status }) => status >= 400 && status < 500).length,
    failed: entries.filter(({ status }) => status >= 500 || status === 0).length,
    p95: percentilesOf(entries).p95,
  };
}

/** Durations from `from` up to `to`, in milliseconds. */
export interface LatencyBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

const BINS_PER_DECADE = 6;

/** A histogram of durations on a logarithmic scale: a response can take a thousand times as long as another. */
export function latencyBins(entries: readonly Entry[]): LatencyBin[] {
  if (entries.length === 0) return [];
  const places = entries.map(({ durationMs }) => Math.floor(Math.log10(Math.max(durationMs, 0.01)) * BINS_PER_DECADE));
  const first = Math.min(...places) - 1;
  // Two bars are no histogram: at least a decade is shown.
  const last = Math.max(Math.max(...places) + 1, first + BINS_PER_DECADE);
  const counts = new Array<number>(last - first + 1).fill(0);
  for (const place of places) counts[place - first]! += 1;
  return counts.map((count, index) => ({
    from: 10 ** ((first + index) / BINS_PER_DECADE),
    to: 10 ** ((first + index + 1) / BINS_PER_DECADE),
    count,
  }));
}
