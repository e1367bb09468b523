import { type Entry, startOf } from "./entry.ts";

/** Requests that belong together: each began before, or soon after, an earlier one had ended. */
export interface Burst {
  /** In the order in which they began. */
  readonly entries: readonly Entry[];
  readonly from: number;
  readonly to: number;
  /** The most requests that were at work at one moment. */
  readonly mostAtOnce: number;
}

/** A longer pause than this is between two bursts. */
const PAUSE_MS = 500;

/** The bursts of a list of requests, oldest first. */
export function burstsOf(entries: readonly Entry[], pauseMs = PAUSE_MS): Burst[] {
  const groups: Entry[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const entry of entries.toSorted((one, other) => startOf(one) - startOf(other) || one.id - other.id)) {
    const group = startOf(entry) > end + pauseMs ? undefined : groups.at(-1);
    if (group) group.push(entry);
    else groups.push([entry]);
    end = Math.max(end, Date.parse(entry.time));
  }
  return groups.map(burstOf);
}

function burstOf(entries: readonly Entry[]): Burst {
  const ends = entries.map(({ time }) => Date.parse(time)).sort((one, other) => one - other);
  let ended = 0;
  let mostAtOnce = 1;
  for (const [index, entry] of entries.entries()) {
    while (ends[ended]! <= startOf(entry)) ended++;
    mostAtOnce = Math.max(mostAtOnce, index + 1 - ended);
  }
  return { entries, from: startOf(entries[0]!), to: ends.at(-1)!, mostAtOnce };
}
