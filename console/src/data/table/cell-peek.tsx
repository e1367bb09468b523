import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Json } from "../../api/json.ts";
import { useEvent } from "../../api/use-event.ts";
import { moveWithinWindow } from "../../ui/within-window.ts";
import type { RecordWindows } from "../record-windows.ts";
import { placeOf } from "../rows/cell-place.ts";

/** A pointer or the focus that only passes by opens nothing. */
const REST_MS = 450;
const LONGEST = 4_000;
/** Between the cell and its value. */
const GAP = 2;

interface CellPeekProps {
  readonly scroller: RefObject<HTMLElement>;
  readonly records: RecordWindows;
}

/** The whole value of a cell that is cut off, while the pointer or the focus rests on it. */
export function CellPeek({ scroller, records }: CellPeekProps) {
  const [peek, setPeek] = useState<{ readonly cell: HTMLElement; readonly text: string }>();
  const box = useRef<HTMLDivElement>(null);
  const read = useEvent((cell: HTMLElement): string => {
    const { row = -1, field = "" } = placeOf(cell) ?? {};
    return textOf(records.at(row)?.[field]);
  });
  useEffect(() => {
    const table = scroller.current;
    if (!table) return;
    let timer: ReturnType<typeof setTimeout>;
    const close = (): void => {
      clearTimeout(timer);
      setPeek(undefined);
    };
    const begin = ({ target }: Event): void => {
      close();
      const cell = target instanceof Element ? target.closest<HTMLElement>("td[data-field]") : null;
      if (!cell) return;
      timer = setTimeout(() => {
        // The table may have moved on below the pointer.
        if (isCut(cell) && cell.matches(":hover, :focus-within")) setPeek({ cell, text: read(cell) });
      }, REST_MS);
    };
    const hide = (): void => setPeek(undefined);
    const ends = ["pointerleave", "pointerdown", "keydown", "focusout"];
    const begins = ["pointerover", "focusin"];
    for (const type of ends) table.addEventListener(type, close, { passive: true });
    for (const type of begins) table.addEventListener(type, begin, { passive: true });
    table.addEventListener("scroll", hide, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const type of ends) table.removeEventListener(type, close);
      for (const type of begins) table.removeEventListener(type, begin);
      table.removeEventListener("scroll", hide);
    };
  }, [scroller, read]);
  useLayoutEffect(() => {
    if (!peek || !box.current) return;
    box.current.showPopover();
    const { left, bottom } = peek.cell.getBoundingClientRect();
    moveWithinWindow(box.current, left, bottom + GAP);
  }, [peek]);
  if (!peek || peek.text === "") return null;
  return (
    <div ref={box} class="cell-peek" popover="manual" role="tooltip">
      {peek.text}
    </div>
  );
}

function isCut(cell: HTMLElement): boolean {
  const parts = [cell, ...cell.querySelectorAll<HTMLElement>(".cut")];
  return parts.some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1);
}

function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  const text = typeof value === "object" ? JSON.stringify(value, null, 2) : String(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
