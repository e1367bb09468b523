import { useMemo } from "preact/hooks";
import type { ServerClock } from "../api/overview.ts";
import { formatDate } from "./format.ts";
import { useNow } from "./use-now.ts";

export const CLOCK_KINDS = {
  real: "Real time",
  stopped: "Stopped",
  moved: "Moved",
  program: "Set by the program",
} as const;

/** The time of the server, in milliseconds. A clock that runs goes on from the time that the server last told. */
export function useServerTime(clock: ServerClock): number {
  const toldAt = useMemo(Date.now, [clock]);
  const rate = clock.kind === "program" ? 0 : clock.rate;
  const now = useNow(undefined, rate > 0);
  return Date.parse(clock.now) + Math.max(0, now - toldAt) * rate;
}

export function ServerTime({ clock }: { clock: ServerClock }) {
  return <span class="soft">{formatDate(new Date(useServerTime(clock)).toISOString())}</span>;
}
