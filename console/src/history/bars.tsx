import type { Version } from "../api/history.ts";
import { useWidth } from "../ui/use-width.ts";
import { countsOf, sizeOf } from "./words.ts";

const HEIGHT = 40;
const LOWEST = 4;
const WIDEST = 14;
/** Half of the thumb: the first bar stands in the middle of it at the left end. */
const EDGE = 9;

interface BarsProps {
  /** Oldest first. */
  readonly versions: readonly Version[];
  readonly at: number;
}

/** A bar for each version, higher for more records. The scrubber below names them, so this is for the eyes alone. */
export function Bars({ versions, at }: BarsProps) {
  const [element, width] = useWidth<HTMLDivElement>();
  const step = versions.length > 1 ? (width - 2 * EDGE) / (versions.length - 1) : 0;
  const wide = Math.max(1, Math.min(WIDEST, step * 0.7 || WIDEST));
  const most = Math.max(...versions.map(weightOf));
  return (
    <div ref={element} class="bars" aria-hidden="true">
      {width > 0 && (
        <svg viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {versions.map((version, index) => {
            const high = LOWEST + (HEIGHT - LOWEST) * (weightOf(version) / most);
            return (
              <rect
                key={version.version}
                class={index === at ? `${lookOf(version)} chosen` : lookOf(version)}
                x={EDGE + index * step - wide / 2}
                y={HEIGHT - high}
                width={wide}
                height={high}
                rx={Math.min(2, wide / 2)}
              />
            );
          })}
        </svg>
      )}
    </div>
  );
}

/** Ten records are seen beside ten thousand. */
function weightOf(version: Version): number {
  return Math.log2(2 + sizeOf(version));
}

function lookOf(version: Version): string {
  const { created, updated, removed } = countsOf(version);
  if (version.kind !== "change") return "all";
  if (removed > created && removed > updated) return "removed";
  return created > updated ? "created" : "updated";
}
