import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useStore } from "../../api/store.ts";
import { useEvent } from "../../api/use-event.ts";
import { entryState, keepInEntry } from "../../routes/entry-state.ts";
import { formatListQuery, type ListQuery } from "../list-query.ts";
import type { RecordWindows } from "../record-windows.ts";
import { focusOf, placeOf } from "../rows/cell-place.ts";
import type { Column } from "./columns.ts";
import { density, rowHeightOf } from "./density.ts";
import { useHeldRecord } from "./use-held-record.ts";
import { type Extent, follow, type Place, placeAt, revealRow, rowsInSight } from "./virtual-rows.ts";

export const HEAD_HEIGHT = 40;
/** When nothing has moved for this long, the scrollbar is put back into proportion. */
const REST_MS = 160;

interface SightOptions {
  readonly scroller: RefObject<HTMLElement>;
  readonly records: RecordWindows;
  readonly total: number;
  readonly query: ListQuery;
  readonly columns: readonly Column[];
  readonly idKey: string;
  /** Whether a key was meant for a row, and not to move. */
  readonly onKey: (event: KeyboardEvent) => boolean;
}

/** The rows in sight, and the ways to move them: by scrolling, and by keys, which the focus follows. */
export function useSight({ scroller, records, total, query, columns, idKey, onKey }: SightOptions) {
  const rowHeight = rowHeightOf(useStore(density));
  const { height: viewHeight, width: viewWidth } = useViewSize(scroller);
  const [place, setPlace] = useState<Place>({ scrollTop: 0, top: 0 });
  const extent: Extent = { rowCount: total, rowHeight, viewHeight };
  const { first, end, shift } = rowsInSight(place, extent);
  const focusRow = useRef<number | undefined>(undefined);
  const focusField = useRef<string | undefined>(undefined);

  const listed = useRef(queryOf(query));
  const beginAnew = useEvent(() => {
    // Other records, or in another order, are read from the top; other columns are not.
    if (queryOf(query) !== listed.current) moveTo({ scrollTop: 0, top: 0 });
    listed.current = queryOf(query);
  });
  useLayoutEffect(() => beginAnew(), [beginAnew, records]);
  const settle = useEvent(() => {
    // Where the page is busy, the scrollbar may have moved on without having told yet.
    if (Math.abs((scroller.current?.scrollTop ?? 0) - place.scrollTop) > 1) return;
    moveTo(placeAt(place.top, extent));
    if ((entryState().top ?? 0) !== place.top) keepInEntry({ top: place.top });
  });
  useEffect(() => {
    // Where the page is busy, the entry may be that of another view by then, which this one is about to make room for.
    const { hash } = location;
    const timer = setTimeout(() => location.hash === hash && settle(), REST_MS);
    return () => clearTimeout(timer);
  }, [settle, place.top, total, viewHeight, location.hash]);
  useLayoutEffect(focusWantedRow);
  // The state of the entry outlives the view: the back button leads to where the list stood.
  const comeBack = useEvent(() => {
    const { top = 0 } = entryState();
    if (top > 0) moveTo(placeAt(top, extent));
  });
  useLayoutEffect(() => comeBack(), [comeBack]);
  const hold = useHeldRecord(records, idKey, ({ row, field }) => {
    focusRow.current = row;
    focusField.current = field;
    focusWantedRow();
    moveTo(revealRow(row, place, extent));
  });

  /** As soon as it is there. */
  function focusWantedRow(): void {
    if (focusRow.current === undefined) return;
    const row = scroller.current?.querySelector(`[data-row="${focusRow.current}"]`);
    const field = focusField.current ?? columns[0]?.name ?? "";
    const cell = row?.querySelector<HTMLElement>(`[data-field="${CSS.escape(field)}"]`);
    // A row without its record has no link yet.
    if (!cell || row?.classList.contains("waiting")) return;
    focusOf(cell, idKey).focus({ preventScroll: true });
    focusRow.current = undefined;
  }

  function moveTo(next: Place): void {
    const element = scroller.current;
    if (element && Math.abs(element.scrollTop - next.scrollTop) > 1) element.scrollTop = next.scrollTop;
    setPlace(next);
  }

  function press(event: KeyboardEvent): void {
    // A popover of the head has keys of its own.
    if (event.defaultPrevented || (event.target instanceof Element && event.target.closest("[popover]"))) return;
    if (onKey(event)) {
      event.preventDefault();
      return;
    }
    const cell = placeOf(event.target);
    const from = focusRow.current ?? cell?.row;
    const row = nextRow(event.key, from, Math.max(1, end - first - 2), total);
    if (row === undefined) return;
    event.preventDefault();
    focusRow.current = row;
    if (cell) focusField.current = cell.field;
    // The row that has the focus may be gone before the next one is there; then the keys must still arrive here.
    if (row < first || row >= end) scroller.current?.focus({ preventScroll: true });
    // A row in sight moves nothing, so nothing would be drawn anew.
    else focusWantedRow();
    moveTo(revealRow(row, place, extent));
  }

  return {
    first,
    end,
    shift,
    extent,
    viewWidth,
    press,
    hold,
    follow: (scrollTop: number) => setPlace((from) => follow(from, scrollTop, extent)),
  };
}

/** The part of a query that decides which records there are, and in which order. */
function queryOf(query: ListQuery): string {
  return formatListQuery({ ...query, fields: undefined });
}

/** The row a key leads to; undefined for keys that lead nowhere. */
function nextRow(key: string, current: number | undefined, page: number, total: number): number | undefined {
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: (current ?? -1) + 1,
    ArrowUp: (current ?? 1) - 1,
    PageDown: (current ?? 0) + page,
    PageUp: (current ?? 0) - page,
    Home: 0,
    End: total - 1,
  };
  const row = moves[key];
  return row === undefined ? undefined : Math.min(Math.max(0, row), total - 1);
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The room for rows. */
function useViewSize(scroller: { current: HTMLElement | null }): Size {
  const [size, setSize] = useState<Size>({ width: 1000, height: 600 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const measure = (): void => {
      const width = element.clientWidth;
      const height = Math.max(HEAD_HEIGHT, element.clientHeight - HEAD_HEIGHT);
      setSize((before) => (before.width === width && before.height === height ? before : { width, height }));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [scroller]);
  return size;
}
