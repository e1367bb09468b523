import { useEffect, useState } from "preact/hooks";
import { plural } from "../ui/format.ts";
import type { Entry } from "./entry.ts";
import { isInRange, type TimeRange } from "./entry-filter.ts";
import { LatencyChart } from "./latency-chart.tsx";
import { timeSlots } from "./statistics.ts";
import { TimeChart } from "./time-chart.tsx";

const MINUTE_MS = 60_000;
const SPANS = [
  { name: "1 min", ms: MINUTE_MS },
  { name: "5 min", ms: 5 * MINUTE_MS },
  { name: "15 min", ms: 15 * MINUTE_MS },
  { name: "All", ms: undefined },
] as const;

interface ChartsRowProps {
  /** By all filters but the time. */
  readonly entries: readonly Entry[];
  readonly range: TimeRange | undefined;
  readonly onRange: (range: TimeRange | undefined) => void;
  readonly isLive: boolean;
}

/** The requests over time, and how long those of the chosen time took. */
export function ChartsRow({ entries, range, onRange, isLive }: ChartsRowProps) {
  const [span, setSpan] = useState<(typeof SPANS)[number]>(SPANS[1]);
  // A chart that moves on under the pointer could not be marked.
  const now = presentOf(entries, useNow(isLive && range === undefined));
  const oldest = Date.parse(entries[0]?.time ?? "") || now;
  const time = timeSlots(entries, now, span.ms ?? Math.max(MINUTE_MS, now - oldest));
  const visible = { from: time.from, to: time.to };
  const measured = entries.filter((entry) => isInRange(entry, range ?? visible));
  const older = entries.length - entries.filter((entry) => isInRange(entry, visible)).length;
  return (
    <div class="charts">
      <section class="card" aria-labelledby="over-time">
        <div class="card-head">
          <h2 id="over-time">Requests over time</h2>
          {/* biome-ignore lint/a11y/useSemanticElements: buttons of which one is pressed */}
          <div class="tabs" role="group" aria-label="Shown time">
            {SPANS.map((one) => (
              <button
                key={one.name}
                type="button"
                aria-pressed={one === span}
                onClick={() => {
                  onRange(undefined);
                  setSpan(one);
                }}
              >
                {one.name}
              </button>
            ))}
          </div>
        </div>
        <TimeChart time={time} range={range} onRange={onRange} />
        <p class="hint chart-note">
          {older > 0 && range === undefined
            ? `${plural(older, "request")} before this time. Press All to see more.`
            : "Drag over the chart to show a part of the time only."}
        </p>
      </section>
      <section class="card" aria-labelledby="latency">
        <div class="card-head">
          <h2 id="latency">How long they took</h2>
          <span class="hint">of {plural(measured.length, "request")}</span>
        </div>
        <LatencyChart entries={measured} />
      </section>
    </div>
  );
}

const DAY_MS = 24 * 60 * MINUTE_MS;

/** The end of the chart: now, but the newest request where the server's clock is another one, or nothing came for a day. */
function presentOf(entries: readonly Entry[], now: number): number {
  const newest = Date.parse(entries.at(-1)?.time ?? "") || now;
  return newest > now || newest < now - DAY_MS ? newest : now;
}

function useNow(isLive: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isLive) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isLive]);
  return now;
}
