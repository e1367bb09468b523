import { useState } from "preact/hooks";
import { BottomAxis, GridLines, SideAxis } from "../ui/charts/axes.tsx";
import { formatDurationTick, formatTick, niceTicks, timeTicks } from "../ui/charts/ticks.ts";
import { formatClock, formatMs, plural } from "../ui/format.ts";
import { useWidth } from "../ui/use-width.ts";
import type { TimeRange } from "./entry-filter.ts";
import type { Slot, TimeSlots } from "./statistics.ts";
import { TimeBrush } from "./time-brush.tsx";

const HEIGHT = 176;
const TOP = 24;
const BOTTOM = HEIGHT - 24;
const LEFT = 32;
const RIGHT = 52;
/** Room for one label of the time axis. */
const LABEL_WIDTH = 76;

const LEGEND = [
  { name: "2xx, 3xx", look: "ok", shape: "bar" },
  { name: "4xx", look: "rejected", shape: "bar" },
  { name: "5xx, no response", look: "failed", shape: "bar" },
  { name: "95th percentile", look: "latency", shape: "line" },
] as const;

interface TimeChartProps {
  readonly time: TimeSlots;
  readonly range: TimeRange | undefined;
  readonly onRange: (range: TimeRange | undefined) => void;
}

/** How many requests there were at each time, how many failed, and how long they took. Drag over it to choose a time. */
export function TimeChart({ time, range, onRange }: TimeChartProps) {
  const [element, width] = useWidth<HTMLDivElement>();
  const [pointed, setPointed] = useState<number>();
  const from = LEFT;
  const to = Math.max(from + 1, width - RIGHT);
  const xOf = (moment: number): number => from + ((moment - time.from) / (time.to - time.from)) * (to - from);
  return (
    <>
      <Legend items={LEGEND} />
      <div class="plot" ref={element}>
        {width > 0 && (
          <>
            <Drawing time={time} from={from} to={to} xOf={xOf} />
            <TimeBrush time={time} range={range} onRange={onRange} onPoint={setPointed} from={from} to={to} xOf={xOf} />
            {pointed !== undefined && time.slots[pointed] && (
              <Readout
                slot={time.slots[pointed]}
                stepMs={time.stepMs}
                x={xOf(time.slots[pointed].from)}
                width={width}
              />
            )}
          </>
        )}
      </div>
    </>
  );
}

interface DrawingProps {
  readonly time: TimeSlots;
  readonly from: number;
  readonly to: number;
  readonly xOf: (moment: number) => number;
}

function Drawing({ time, from, to, xOf }: DrawingProps) {
  const counts = niceTicks(Math.max(1, ...time.slots.map(({ count }) => count)), 4, true);
  const latencies = niceTicks(Math.max(1, ...time.slots.map(({ p95 }) => p95 ?? 0)), 4);
  const yOf = (value: number, ticks: readonly number[]): number => BOTTOM - (value / ticks.at(-1)!) * (BOTTOM - TOP);
  const placed = (ticks: readonly number[], label: (tick: number) => string) =>
    ticks.map((tick) => ({ at: yOf(tick, ticks), label: label(tick) }));
  const countTicks = placed(counts, String);
  const timeLabels = timeTicks(time.from, time.to, Math.floor((to - from) / LABEL_WIDTH)).map((tick) => ({
    at: xOf(tick),
    label: formatTick(tick, time.to - time.from),
  }));
  const slotWidth = (to - from) / time.slots.length;
  const bar = {
    width: Math.max(1, slotWidth - Math.min(2, slotWidth / 3)),
    yOf: (value: number) => yOf(value, counts),
  };
  return (
    <svg class="chart" height={HEIGHT} role="img">
      <title>{summaryOf(time)}</title>
      <GridLines ticks={countTicks} from={from} to={to} />
      <SideAxis title="Requests" side="left" x={from - 8} ticks={countTicks} />
      <SideAxis title="Took" side="right" x={to + 8} ticks={placed(latencies, formatDurationTick)} />
      <BottomAxis y={BOTTOM} from={from} to={to} ticks={timeLabels} />
      {time.slots.map((slot) => slot.count > 0 && <Bar key={slot.from} slot={slot} x={xOf(slot.from)} {...bar} />)}
      <LatencyLine slots={time.slots} xOf={(slot) => xOf(slot.from) + slotWidth / 2} yOf={(ms) => yOf(ms, latencies)} />
    </svg>
  );
}

interface BarProps {
  readonly slot: Slot;
  readonly x: number;
  readonly width: number;
  readonly yOf: (value: number) => number;
}

/** The failed at the bottom, where they are compared best. */
function Bar({ slot: { count, rejected, failed }, x, width, yOf }: BarProps) {
  const parts = [
    ["failed", 0, failed],
    ["rejected", failed, failed + rejected],
    ["ok", failed + rejected, count],
  ] as const;
  return (
    <g>
      {parts.map(
        ([look, low, high]) =>
          high > low && (
            <rect
              key={look}
              class={`chart-bar ${look}`}
              x={x}
              y={yOf(high)}
              width={width}
              height={yOf(low) - yOf(high)}
            />
          ),
      )}
    </g>
  );
}

interface LatencyLineProps {
  readonly slots: readonly Slot[];
  readonly xOf: (slot: Slot) => number;
  readonly yOf: (ms: number) => number;
}

/** Points joined where slots with requests are neighbours; a time without requests is a gap. */
function LatencyLine({ slots, xOf, yOf }: LatencyLineProps) {
  let isDrawing = false;
  const steps = slots.map((slot) => {
    if (slot.p95 === undefined) {
      isDrawing = false;
      return "";
    }
    const step = `${isDrawing ? "L" : "M"}${xOf(slot).toFixed(1)} ${yOf(slot.p95).toFixed(1)}`;
    isDrawing = true;
    return step;
  });
  return (
    <g>
      <path class="latency-line" d={steps.join("")} />
      {slots.map(
        (slot) =>
          slot.p95 !== undefined && (
            <circle key={slot.from} class="latency-dot" cx={xOf(slot)} cy={yOf(slot.p95)} r={2.5} />
          ),
      )}
    </g>
  );
}

interface ReadoutProps {
  readonly slot: Slot;
  readonly stepMs: number;
  readonly x: number;
  readonly width: number;
}

const READOUT_WIDTH = 184;

/** The numbers of the slot under the pointer. */
function Readout({ slot, stepMs, x, width }: ReadoutProps) {
  const { from, count, rejected, failed, p95 } = slot;
  const left = x + READOUT_WIDTH + 24 < width ? x + 16 : Math.max(0, x - READOUT_WIDTH - 8);
  return (
    <div class="readout" style={{ left: `${left}px` }} aria-hidden="true">
      <strong>
        {formatClock(from)} – {formatClock(from + stepMs)}
      </strong>
      <span>{plural(count, "request")}</span>
      {rejected > 0 && <span class="rejected">{rejected} with 4xx</span>}
      {failed > 0 && <span class="failed">{failed} with 5xx or no response</span>}
      {p95 !== undefined && <span>95th percentile {formatMs(p95)}</span>}
    </div>
  );
}

function summaryOf({ from, to, slots }: TimeSlots): string {
  const sum = (value: (slot: Slot) => number): number => slots.reduce((total, slot) => total + value(slot), 0);
  const busiest = slots.reduce((one, other) => (other.count > one.count ? other : one));
  const counts = [
    plural(
      sum(({ count }) => count),
      "request",
    ),
    `${sum(({ rejected }) => rejected)} with 4xx`,
    `${sum(({ failed }) => failed)} with 5xx or no response`,
  ];
  const most = busiest.count > 0 ? `; most at ${formatClock(busiest.from)}: ${busiest.count}` : "";
  return `From ${formatClock(from)} to ${formatClock(to)}: ${counts.join(", ")}${most}`;
}

interface LegendItem {
  readonly name: string;
  /** The class that gives the key its colour. */
  readonly look: string;
  readonly shape: "bar" | "line";
}

/** Says which colour means what. */
function Legend({ items }: { items: readonly LegendItem[] }) {
  return (
    <ul class="legend">
      {items.map(({ name, look, shape }) => (
        <li key={name}>
          <span class={`legend-key ${shape} ${look}`} aria-hidden="true" />
          {name}
        </li>
      ))}
    </ul>
  );
}
