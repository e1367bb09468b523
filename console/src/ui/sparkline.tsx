interface SparklineProps {
  /** Says in words what is drawn. */
  readonly label: string;
  readonly values: readonly number[];
  /** The part of each value that went wrong. */
  readonly marked?: readonly number[];
}

const BAR = 4;
const HEIGHT = 28;

/** Values over time as small bars, without axes: their course, not their size. */
export function Sparkline({ label, values, marked = [] }: SparklineProps) {
  const most = Math.max(1, ...values);
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${values.length * BAR} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {values.map((value, index) => (
        <g key={index}>
          <Bar index={index} value={value} most={most} look="bar" />
          <Bar index={index} value={marked[index] ?? 0} most={most} look="bar marked" />
        </g>
      ))}
    </svg>
  );
}

function Bar({ index, value, most, look }: { index: number; value: number; most: number; look: string }) {
  if (value === 0) return null;
  const height = Math.max(2, (value / most) * (HEIGHT - 1));
  return <rect class={look} x={index * BAR} y={HEIGHT - 1 - height} width={BAR - 1} height={height} />;
}
