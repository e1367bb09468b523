import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import { useEvent } from "../../api/use-event.ts";
import { useOverview } from "../../api/use-overview.ts";
import { formatRoute, listRoute } from "../../routes/route.ts";
import { formatCount } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";
import { useWidth } from "../../ui/use-width.ts";
import type { Box } from "./box.ts";
import type { DrawnLine } from "./drawn-line.ts";
import { type Graph, graphOf } from "./graph.ts";
import { type Layout, layoutGraph } from "./layout.ts";
import "./diagram.css";

/** A higher drawing scrolls by itself. */
const TALL = 900;
/** The height that the whole of a drawing is fitted into. */
const FITTED = 780;
/** Drawings are not made smaller than this: nothing could be read. */
const SMALLEST = 0.45;

/** The collections and their relations. Each box is a link to its collection, and each line begins at its key. */
export function Diagram() {
  const overview = useOverview();
  const [frame, width] = useWidth<HTMLDivElement>();
  const graph = useMemo(() => graphOf(overview), [overview]);
  // Counts change all the time; the drawing does not depend on them.
  const shape = JSON.stringify([graph.edges, graph.nodes.map(({ name, kind, keys }) => [name, kind, keys])]);
  const draw = useEvent(() => (width === 0 ? undefined : layoutGraph(graph, width)));
  const layout = useMemo(() => draw(), [draw, shape, width]);
  const counts = new Map(graph.nodes.map(({ name, count }) => [name, count]));
  const [active, setActive] = useState<string>();
  const near = active === undefined ? undefined : neighboursOf(graph, active);
  const [isFitted, setFitted] = useState(false);
  const isTall = layout !== undefined && layout.height > TALL;
  const isCut = layout !== undefined && (isTall || layout.width > width);
  const scale = isCut ? Math.min(1, width / layout.width, FITTED / layout.height) : 1;
  const canFit = isCut && scale >= SMALLEST;
  useLayoutEffect(() => {
    if (layout && frame.current) showMiddle(frame.current, layout);
  }, [frame, layout, isFitted]);
  return (
    <>
      {canFit && (
        <div class="diagram-tools">
          <button type="button" class="link" onClick={() => setFitted(!isFitted)}>
            {isFitted ? "Show at full size" : "Fit all into view"}
          </button>
        </div>
      )}
      <div class={isTall ? "diagram tall" : "diagram"} ref={frame}>
        {layout && (
          <div
            class={near ? "diagram-sheet has-active" : "diagram-sheet"}
            style={{ ...sizeOf(layout), zoom: canFit && isFitted ? scale : 1 }}
          >
            <svg width={layout.width} height={layout.height} aria-hidden="true">
              {layout.lines.map((line) => (
                <Line key={`${line.edge.from} ${line.edge.field}`} line={line} active={active} />
              ))}
            </svg>
            <ul>
              {layout.boxes.map((box) => (
                <Node
                  key={box.node.name}
                  box={box}
                  count={counts.get(box.node.name) ?? 0}
                  isNear={near?.has(box.node.name) ?? false}
                  onActive={(isActive) => setActive(isActive ? box.node.name : undefined)}
                />
              ))}
            </ul>
          </div>
        )}
      </div>
    </>
  );
}

/** Scrolls to the middle of the first rank: at its ends there may be nothing. */
function showMiddle(frame: HTMLElement, { boxes }: Layout): void {
  const first = boxes.filter(({ x }) => x === 0);
  const middle = first[Math.floor(first.length / 2)];
  if (middle) frame.scrollTop = middle.y + middle.height / 2 - frame.clientHeight / 2;
}

interface NodeProps {
  readonly box: Box;
  readonly count: number;
  readonly isNear: boolean;
  readonly onActive: (isActive: boolean) => void;
}

function Node({ box: { node, x, y, width, height }, count, isNear, onActive }: NodeProps) {
  const { name, kind, keys } = node;
  return (
    <li style={{ left: `${x}px`, top: `${y}px`, ...sizeOf({ width, height }) }}>
      <a
        class={`diagram-node ${kind}${isNear ? " near" : ""}`}
        href={formatRoute(listRoute(name))}
        onMouseEnter={() => onActive(true)}
        onMouseLeave={() => onActive(false)}
        onFocus={() => onActive(true)}
        onBlur={() => onActive(false)}
      >
        <span class="row node-head">
          <span class="cut" title={name}>
            {name}
          </span>
          <span class="node-count">
            {kind === "collection" ? formatCount(count) : "object"}
            {kind === "collection" && <span class="unseen"> {count === 1 ? "record" : "records"}</span>}
          </span>
        </span>
        {keys.map(({ field, to }) => (
          <span key={`${field} ${to}`} class={to === undefined ? "node-key" : "node-key foreign"}>
            <Icon name={to === undefined ? "key" : "link"} />
            <span class="cut">{field}</span>
            <span class="unseen">{to === undefined ? "is the key" : `refers to ${to}`}</span>
          </span>
        ))}
      </a>
    </li>
  );
}

function Line({ line: { edge, path, start, end, points }, active }: { line: DrawnLine; active: string | undefined }) {
  const isNear = edge.from === active || edge.to === active;
  return (
    <g class={isNear ? "diagram-line near" : "diagram-line"}>
      <title>{`${edge.from}.${edge.field} refers to ${edge.to}`}</title>
      <path class="reach" d={path} />
      <path d={path} />
      <circle cx={start.x} cy={start.y} r="3" />
      <path class="tip" d={`M${end.x} ${end.y}${TIPS[points]}z`} />
    </g>
  );
}

/** The other two corners of the tip of an arrow. */
const TIPS: Readonly<Record<DrawnLine["points"], string>> = {
  left: "l7 -4v8",
  right: "l-7 -4v8",
  up: "l-4 7h8",
  down: "l-4 -7h8",
};

function neighboursOf({ edges }: Graph, name: string): ReadonlySet<string> {
  return new Set([name, ...edges.flatMap(({ from, to }) => (from === name || to === name ? [from, to] : []))]);
}

function sizeOf({ width, height }: { width: number; height: number }): { width: string; height: string } {
  return { width: `${width}px`, height: `${height}px` };
}
