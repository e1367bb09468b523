import { BottomAxis, GridLines, SideAxis } from "../ui/charts/axes.tsx";
import { formatDurationTick, niceTicks } from "../ui/charts/ticks.ts";
import { formatMs, plural } from "../ui/format.ts";
import { useWidth } from "../ui/use-width.ts";
import type { Entry } from "./entry.ts";
import { type LatencyBin, latencyBins, type Percentiles, percentilesOf } from "./statistics.ts";

const HEIGHT = 176;
/** Below the title of the axis and two lines of labels. */
const TOP = 44;
const BOTTOM = HEIGHT - 24;
const LEFT = 32;
const RIGHT = 8;
const LABEL_WIDTH = 60;

/** How long requests took: a histogram, and the percentiles in it. */
export function LatencyChart({ entries }: { entries: readonly Entry[] }) {
  const [element, width] = useWidth<HTMLDivElement>();
  const percentiles = percentilesOf(entries);
  const { p50, p95, p99, max } = percentiles;
  return (
    <>
      <div class="plot latency" ref={element}>
        {width > 0 && <Histogram bins={latencyBins(entries)} percentiles={percentiles} width={width} />}
      </div>
      <dl class="figures">
        <Figure name="Median" value={formatMs(p50)} />
        <Figure name="p95" value={formatMs(p95)} />
        <Figure name="p99" value={formatMs(p99)} />
        <Figure name="Slowest" value={formatMs(max)} />
      </dl>
    </>
  );
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

interface HistogramProps {
  readonly bins: readonly LatencyBin[];
  readonly percentiles: Percentiles;
  readonly width: number;
}

function Histogram({ bins, percentiles, width }: HistogramProps) {
  const low = Math.log10(bins[0]?.from ?? 1);
  const high = Math.log10(bins.at(-1)?.to ?? 10);
  const to = width - RIGHT;
  const xOf = (ms: number): number => LEFT + ((Math.log10(Math.max(ms, 0.01)) - low) / (high - low)) * (to - LEFT);
  const counts = niceTicks(Math.max(1, ...bins.map(({ count }) => count)), 3, true);
  const yOf = (count: number): number => BOTTOM - (count / counts.at(-1)!) * (BOTTOM - TOP);
  const countTicks = counts.map((count) => ({ at: yOf(count), label: String(count) }));
  return (
    <svg class="chart" height={HEIGHT} role="img">
      <title>{summaryOf(bins)}</title>
      <GridLines ticks={countTicks} from={LEFT} to={to} />
      <SideAxis title="Requests" side="left" x={LEFT - 8} ticks={countTicks} />
      <BottomAxis y={BOTTOM} from={LEFT} to={to} ticks={durationTicks(bins, xOf, (to - LEFT) / LABEL_WIDTH)} />
      {bins.map(({ from, to: end, count }) => (
        <rect
          key={from}
          class="chart-bar ok"
          x={xOf(from) + 0.5}
          y={yOf(count)}
          width={Math.max(1, xOf(end) - xOf(from) - 1)}
          height={BOTTOM - yOf(count)}
        />
      ))}
      <Marks percentiles={percentiles} xOf={xOf} />
    </svg>
  );
}

/** The percentiles as lines. Their labels stand on two lines and on different sides, so that close ones can be read. */
function Marks({ percentiles, xOf }: { percentiles: Percentiles; xOf: (ms: number) => number }) {
  const marks = [
    { name: "p50", ms: percentiles.p50, anchor: "end", shift: -3, row: 0 },
    { name: "p95", ms: percentiles.p95, anchor: "end", shift: -3, row: 1 },
    { name: "p99", ms: percentiles.p99, anchor: "start", shift: 3, row: 0 },
  ] as const;
  return (
    <g>
      {marks.map(
        ({ name, ms, anchor, shift, row }) =>
          ms !== undefined && (
            <g key={name}>
              <line class={`mark ${name}`} x1={xOf(ms)} x2={xOf(ms)} y1={row === 0 ? 28 : 40} y2={BOTTOM} />
              <text class="mark-label" x={xOf(ms) + shift} y={row === 0 ? 24 : 36} text-anchor={anchor}>
                {name}
              </text>
            </g>
          ),
      )}
    </g>
  );
}

/** Round durations: 1, 2 and 5 times powers of ten while there is room, else the powers alone. */
function durationTicks(bins: readonly LatencyBin[], xOf: (ms: number) => number, room: number) {
  const [least, most] = [bins[0]?.from ?? 1, bins.at(-1)?.to ?? 10];
  const decades = Array.from({ length: 9 }, (_, index) => 10 ** (index - 2));
  const fitting = (factors: readonly number[]): number[] =>
    decades.flatMap((decade) => factors.map((factor) => factor * decade)).filter((ms) => ms >= least && ms <= most);
  const fine = fitting([1, 2, 5]);
  const chosen = fine.length <= room ? fine : fitting([1]);
  return chosen.map((ms) => ({ at: xOf(ms), label: formatDurationTick(Number(ms.toPrecision(1))) }));
}

function summaryOf(bins: readonly LatencyBin[]): string {
  const total = bins.reduce((sum, { count }) => sum + count, 0);
  const most = bins.reduce<LatencyBin | undefined>(
    (one, other) => (one && one.count >= other.count ? one : other),
    undefined,
  );
  if (!most || total === 0) return "No requests";
  return `How long ${plural(total, "request")} took: ${most.count} between ${formatMs(most.from)} and ${formatMs(most.to)}`;
}
