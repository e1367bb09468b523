import { useRef, useState } from "preact/hooks";

/** Less than this is a click. */
const SLACK = 6;
/** So close to an edge, the table scrolls. */
const EDGE = 48;

export interface ColumnDrag {
  readonly name: string;
  /** Where it would be dropped, counted without itself. */
  readonly place: number;
}

/** Moves a column by dragging its name with a mouse or a pen; fingers scroll, and have the column's menu. */
export function useColumnDrag(
  firstPlace: number,
  onMove: (name: string, place: number) => void,
): {
  drag: ColumnDrag | undefined;
  begin: (event: PointerEvent, name: string) => void;
  /** Whether a click is the end of a drag, and means nothing. */
  endsDrag: () => boolean;
} {
  const [drag, setDrag] = useState<ColumnDrag>();
  const hasDragged = useRef(false);

  function begin(event: PointerEvent, name: string): void {
    const row = event.currentTarget instanceof Element ? event.currentTarget.closest("tr") : null;
    if (!row || event.button !== 0 || event.pointerType === "touch") return;
    hasDragged.current = false;
    const scroller = row.closest<HTMLElement>(".scroller");
    const startX = event.clientX;
    const ended = new AbortController();
    let place: number | undefined;
    const end = (): void => {
      ended.abort();
      setDrag(undefined);
    };
    const follow = ({ clientX }: PointerEvent): void => {
      if (place === undefined && Math.abs(clientX - startX) < SLACK) return;
      hasDragged.current = true;
      place = Math.max(firstPlace, placeAt(row, name, clientX));
      setDrag({ name, place });
      if (scroller) scrollNear(scroller, clientX);
    };
    const drop = (): void => {
      end();
      if (place !== undefined) onMove(name, place);
    };
    const { signal } = ended;
    addEventListener("pointermove", follow, { signal });
    addEventListener("pointerup", drop, { signal });
    addEventListener("pointercancel", end, { signal });
    addEventListener("keydown", ({ key }) => key === "Escape" && end(), { signal });
  }

  function endsDrag(): boolean {
    const isEnd = hasDragged.current;
    hasDragged.current = false;
    return isEnd;
  }

  return { drag, begin, endsDrag };
}

function placeAt(row: HTMLElement, name: string, x: number): number {
  const others = [...row.querySelectorAll<HTMLElement>("[data-column]")].filter(
    ({ dataset }) => dataset.column !== name,
  );
  return others.filter((head) => {
    const { left, width } = head.getBoundingClientRect();
    return left + width / 2 < x;
  }).length;
}

function scrollNear(scroller: HTMLElement, x: number): void {
  const { left, right } = scroller.getBoundingClientRect();
  if (x > right - EDGE) scroller.scrollLeft += EDGE / 4;
  else if (x < left + EDGE) scroller.scrollLeft -= EDGE / 4;
}
