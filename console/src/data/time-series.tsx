import type { JsonObject } from "../api/json.ts";
import { BottomAxis, GridLines, SideAxis } from "../ui/charts/axes.tsx";
import { niceTicks } from "../ui/charts/ticks.ts";
import { formatCount } from "../ui/format.ts";
import { aggregateColumn, aggregateWords, type Grouping } from "./grouping.ts";
import "../ui/charts/charts.css";

interface TimeSeriesProps {
  readonly rows: readonly JsonObject[];
  readonly grouping: Grouping;
}

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [900, 200, 64, 24, 20];
/** As many labels have room. */
const MOST_LABELS = 9;

/** The groups of days, months or years as columns along the time. */
export function TimeSeries({ rows, grouping }: TimeSeriesProps) {
  const column = aggregateColumn(grouping);
  const [field = ""] = grouping.fields;
  const values = rows.map((row) => Math.max(0, Number(row[column] ?? 0)));
  const ticks = niceTicks(Math.max(...values, 0) || 1, 4, grouping.kind === "count");
  const top = ticks.at(-1) ?? 1;
  const floor = HEIGHT - BOTTOM;
  const y = (value: number): number => floor - (value / top) * (floor - TOP);
  const step = (WIDTH - LEFT) / rows.length;
  const every = Math.ceil(rows.length / MOST_LABELS);
  const marks = ticks.map((value) => ({ at: y(value), label: formatCount(value) }));
  const labels = rows.flatMap((row, at) =>
    at % every === 0 ? [{ at: LEFT + (at + 0.5) * step, label: String(row[field]) }] : [],
  );
  return (
    <svg
      class="chart time-series"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`${aggregateWords(grouping)} by ${grouping.by}`}
    >
      <GridLines ticks={marks} from={LEFT} to={WIDTH} />
      <SideAxis ticks={marks} x={LEFT - 8} side="left" title={aggregateWords(grouping)} />
      {values.map((value, at) => (
        <rect
          key={String(rows[at]?.[field])}
          class="time-bar"
          x={LEFT + at * step + step * 0.1}
          width={step * 0.8}
          y={y(value)}
          height={floor - y(value)}
        />
      ))}
      <BottomAxis ticks={labels} y={floor} from={LEFT} to={WIDTH} />
    </svg>
  );
}
