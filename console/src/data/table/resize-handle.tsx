import { useRef } from "preact/hooks";
import { formatName } from "../../ui/format.ts";
import { clampWidth, NARROWEST, WIDEST } from "./layout.ts";

interface ResizeHandleProps {
  readonly column: string;
  readonly width: number;
  readonly isTabStop: boolean;
  /** While the pointer moves. */
  readonly onDrag: (width: number) => void;
  readonly onResize: (width: number | undefined) => void;
}

const STEP = 16;

/** The right edge of a column: drag it, or press the arrow keys; a double click or Enter fits the width to the values. */
export function ResizeHandle({ column, width, isTabStop, onDrag, onResize }: ResizeHandleProps) {
  const start = useRef<{ x: number; width: number } | undefined>(undefined);
  const dragged = ({ clientX }: PointerEvent): number | undefined =>
    start.current && clampWidth(start.current.width + clientX - start.current.x);
  const fitWidth = (handle: HTMLElement): void => onResize(fittingWidth(handle));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule across the page cannot be moved
    <div
      class="resize-handle"
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${formatName(column)}`}
      aria-valuenow={width}
      aria-valuemin={NARROWEST}
      aria-valuemax={WIDEST}
      tabIndex={isTabStop ? 0 : -1}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        const { offsetWidth = width } = event.currentTarget.closest("th") ?? {};
        start.current = { x: event.clientX, width: offsetWidth };
      }}
      onPointerMove={(event) => {
        const next = dragged(event);
        if (next !== undefined) onDrag(next);
      }}
      onPointerUp={(event) => {
        const next = dragged(event);
        const hasMoved = event.clientX !== start.current?.x;
        start.current = undefined;
        if (next !== undefined && hasMoved) onResize(next);
      }}
      onPointerCancel={() => {
        if (start.current) onResize(start.current.width);
        start.current = undefined;
      }}
      onDblClick={({ currentTarget }) => fitWidth(currentTarget)}
      onKeyDown={(event) => {
        const step = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
        if (step === undefined && event.key !== "Enter") return;
        event.preventDefault();
        event.stopPropagation();
        const { offsetWidth = width } = event.currentTarget.closest("th") ?? {};
        if (step === undefined) fitWidth(event.currentTarget);
        else onResize(clampWidth(offsetWidth + step));
      }}
    />
  );
}

/** The width of the widest content in sight of a column. */
function fittingWidth(handle: HTMLElement): number | undefined {
  const head = handle.closest("th");
  const rows = handle.closest("table")?.tBodies[0]?.rows;
  if (!head || !rows) return undefined;
  const name = head.querySelector(".head-name");
  const cells = [...rows].flatMap((row) => row.cells[head.cellIndex] ?? []);
  const widths = cells.map((cell) => contentWidth(cell) + 2 * 12);
  return clampWidth(Math.max(...widths, name ? name.scrollWidth + 32 : 0) + 2);
}

function contentWidth(element: Element): number {
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getBoundingClientRect().width;
}
