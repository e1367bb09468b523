/** A place on an axis, in pixels, and its label. */
export interface Tick {
  readonly at: number;
  readonly label: string;
}

interface SideAxisProps {
  readonly ticks: readonly Tick[];
  /** Where its labels stand. */
  readonly x: number;
  readonly side: "left" | "right";
  readonly title: string;
}

/** The labels of an axis at the left or right, under its title. */
export function SideAxis({ ticks, x, side, title }: SideAxisProps) {
  const anchor = side === "left" ? "end" : "start";
  return (
    <g>
      <text x={side === "left" ? 0 : "100%"} y={10} text-anchor={side === "left" ? "start" : "end"}>
        {title}
      </text>
      {ticks.map(({ at, label }) => (
        <text key={at} x={x} y={at} dy="0.32em" text-anchor={anchor}>
          {label}
        </text>
      ))}
    </g>
  );
}

interface BottomAxisProps {
  readonly ticks: readonly Tick[];
  readonly y: number;
  readonly from: number;
  readonly to: number;
}

/** The line at the bottom with its labels; those at the ends stay inside. */
export function BottomAxis({ ticks, y, from, to }: BottomAxisProps) {
  return (
    <g>
      <line class="axis-line" x1={from} x2={to} y1={y} y2={y} />
      {ticks.map(({ at, label }) => (
        <g key={at}>
          <line class="axis-line" x1={at} x2={at} y1={y} y2={y + 4} />
          <text x={at} y={y + 16} text-anchor="middle">
            {label}
          </text>
        </g>
      ))}
    </g>
  );
}

/** Thin lines across the chart at the ticks of its left axis. */
export function GridLines({ ticks, from, to }: { ticks: readonly Tick[]; from: number; to: number }) {
  return (
    <g>
      {ticks.map(({ at }) => (
        <line key={at} class="grid-line" x1={from} x2={to} y1={at} y2={at} />
      ))}
    </g>
  );
}
