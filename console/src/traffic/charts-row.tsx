import { useState } from "preact/hooks";
import { plural } from "../ui/format.ts";
import { Tabs } from "../ui/tabs.tsx";
import { useNow } from "../ui/use-now.ts";
import type { Entry } from "./entry.ts";
import { isInRange, type TimeRange } from "./entry-filter.ts";
import { LatencyChart } from "./latency-chart.tsx";
import { timeSlots } from "./statistics.ts";
import { TimeChart } from "./time-chart.tsx";

const MINUTE_MS = 60_000;
/** Undefined: from the oldest request on. */
const SPANS = { "1 min": MINUTE_MS, "5 min": 5 * MINUTE_MS, "15 min": 15 * MINUTE_MS, All: undefined } as const;
type Span = keyof typeof SPANS;
const SPAN_TABS = (Object.keys(SPANS) as Span[]).map((span) => [span, span] as const);

interface ChartsRowProps {
  /** By all filters but the time. */
  readonly entries: readonly Entry[];
  readonly range: TimeRange | undefined;
  readonly onRange: (range: TimeRange | undefined) => void;
  readonly isLive: boolean;
}

/** The requests over time, and how long those of the chosen time took. */
export function ChartsRow({ entries, range, onRange, isLive }: ChartsRowProps) {
  const [span, setSpan] = useState<Span>("5 min");
  // A chart that moves on under the pointer could not be marked.
  const now = presentOf(entries, useNow(1_000, isLive && range === undefined));
  const oldest = Date.parse(entries[0]?.time ?? "") || now;
  const time = timeSlots(entries, now, SPANS[span] ?? Math.max(MINUTE_MS, now - oldest));
  const visible = { from: time.from, to: time.to };
  const measured = entries.filter((entry) => isInRange(entry, range ?? visible));
  const older = entries.length - entries.filter((entry) => isInRange(entry, visible)).length;
  return (
    <div class="charts">
      <section class="card" aria-labelledby="over-time">
        <div class="cluster card-head">
          <h2 id="over-time">Requests over time</h2>
          <Tabs
            label="Shown time"
            tabs={SPAN_TABS}
            chosen={span}
            onChoose={(next) => {
              onRange(undefined);
              setSpan(next);
            }}
          />
        </div>
        <TimeChart time={time} range={range} onRange={onRange} />
        <p class="hint chart-note">
          {older > 0 && range === undefined
            ? `${plural(older, "request")} before this time. Press All to see more.`
            : "Drag over the chart to zoom in on a period."}
        </p>
      </section>
      <section class="card" aria-labelledby="latency">
        <div class="cluster card-head">
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
