import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { JsonObject } from "../../api/json.ts";
import { idKeyOf } from "../../api/overview.ts";
import { useOverview } from "../../api/use-overview.ts";
import { useNow } from "../../ui/use-now.ts";
import type { Clause } from "../condition.ts";
import { formatListQuery, type ListQuery, type Sort } from "../list-query.ts";
import { type RecordWindows, WINDOW_SIZE } from "../record-windows.ts";
import { focusOf, placeOf } from "../rows/cell-place.ts";
import type { Selection } from "../rows/selection.ts";
import { useRowTools } from "../rows/use-row-tools.tsx";
import type { Column } from "./columns.ts";
import { fractionDigits } from "./decimals.ts";
import { sizeColumns, type TableLayout } from "./layout.ts";
import type { Looks } from "./looks.ts";
import { RecordRow } from "./record-row.tsx";
import { TableHead } from "./table-head.tsx";
import type { ColumnActions } from "./use-columns.ts";
import { useReferenceLabels } from "./use-reference-labels.ts";
import { type Extent, follow, type Place, placeAt, revealRow, rowsInSight, scrollHeight } from "./virtual-rows.ts";
import "../../styles/table.css";

const ROW_HEIGHT = 40;
const HEAD_HEIGHT = 40;
/** Of the cells that pick rows and open their menus. */
const ROW_HEAD_WIDTH = 72;
/** When nothing has moved for this long, the scrollbar is put back into proportion. */
const REST_MS = 160;
/** Relative times are at most this old. */
const MINUTE_MS = 60_000;

interface RecordTableProps {
  readonly collection: string;
  readonly columns: readonly Column[];
  readonly looks: Looks;
  readonly layout: TableLayout;
  readonly records: RecordWindows;
  readonly total: number;
  readonly query: ListQuery;
  readonly queryText: string;
  readonly actions: ColumnActions;
  readonly onSort: (sort: readonly Sort[]) => void;
  readonly onFilter: (filters: readonly Clause[]) => void;
  readonly onQuery: (query: ListQuery) => void;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
}

/** A table of any length: only the rows in sight are there, drawn into a window that stays put while the list moves. */
export function RecordTable(props: RecordTableProps) {
  const overview = useOverview();
  const { collection, columns, looks, layout, records, total, query, queryText, actions } = props;
  const { onSort, onFilter, onQuery, selection, onSelect } = props;
  const scroller = useRef<HTMLElement>(null);
  const { height: viewHeight, width: viewWidth } = useViewSize(scroller);
  const [place, setPlace] = useState<Place>({ scrollTop: 0, top: 0 });
  const extent: Extent = { rowCount: total, rowHeight: ROW_HEIGHT, viewHeight };
  const { first, end, shift } = rowsInSight(place, extent);
  const focusRow = useRef<number | undefined>(undefined);
  const focusField = useRef<string | undefined>(undefined);
  const [said, say] = useState("");
  const { labels, version: labelsVersion, look } = useReferenceLabels(looks);
  const digits = useDigits(columns, records, first, end);
  const now = useNow(MINUTE_MS);
  const idKey = idKeyOf(overview, collection);
  const tools = useRowTools({
    ...{ collection, idKey, columns, records, total, query, selection, onSelect, onQuery, scroller },
  });
  const { sized, dragEdge } = useWidths(columns, layout, viewWidth < NARROW_VIEW ? idKey : undefined);

  const listed = useRef(queryOf(query));
  useLayoutEffect(() => {
    // Other records, or in another order, are read from the top; other columns are not.
    if (queryOf(query) !== listed.current) moveTo({ scrollTop: 0, top: 0 });
    listed.current = queryOf(query);
  }, [records]);
  useEffect(() => records.look(first, end));
  useEffect(() => look(recordsAround(records, first, end)));
  useEffect(() => {
    const timer = setTimeout(() => {
      // Where the page is busy, the scrollbar may have moved on without having told yet.
      if (Math.abs((scroller.current?.scrollTop ?? 0) - place.scrollTop) <= 1) moveTo(placeAt(place.top, extent));
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [place.top, total, viewHeight]);
  useLayoutEffect(focusWantedRow);

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
    if (tools.onKey(event)) {
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

  const width = sized.reduce((sum, column) => sum + column.width, ROW_HEAD_WIDTH);
  const hasFiller = !sized.some(({ isWide }) => isWide);
  const rows = Array.from({ length: Math.max(0, end - first) }, (_, offset) => first + offset);
  return (
    <>
      <section
        ref={scroller}
        class="scroller"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
        tabIndex={0}
        aria-label={`Records of ${collection}`}
        onScroll={({ currentTarget }) => {
          const { scrollTop, scrollLeft } = currentTarget;
          currentTarget.classList.toggle("is-aside", scrollLeft > 0);
          setPlace((from) => follow(from, scrollTop, extent));
        }}
        onKeyDown={press}
        {...tools.listeners}
      >
        <div class="spacer" style={{ height: scrollHeight(extent) + HEAD_HEIGHT, minWidth: width }}>
          <div class="sight" style={{ height: Math.min(viewHeight, total * ROW_HEIGHT) + HEAD_HEIGHT }}>
            <table class="records" aria-rowcount={total + 1} style={{ minWidth: width }}>
              <colgroup>
                <col style={{ width: `${ROW_HEAD_WIDTH}px` }} />
                {sized.map(({ name, width, isWide }) => (
                  <col key={name} style={{ width: isWide ? "" : `${width}px` }} />
                ))}
                {hasFiller && <col />}
              </colgroup>
              <TableHead
                allBox={tools.allBox}
                collection={collection}
                idKey={idKey}
                columns={sized}
                looks={looks}
                layout={layout}
                query={query}
                total={total}
                actions={actions}
                hasFiller={hasFiller}
                onSort={onSort}
                onFilter={onFilter}
                onDragEdge={dragEdge}
                say={say}
              />
              <tbody style={{ transform: `translateY(${-shift}px)` }}>
                {rows.map((index) => (
                  <RecordRow
                    key={index}
                    index={index}
                    record={records.at(index)}
                    columns={columns}
                    looks={looks}
                    plain={layout.plain}
                    collection={collection}
                    idKey={idKey}
                    query={queryText}
                    labels={labels}
                    labelsVersion={labelsVersion}
                    digits={digits}
                    now={now}
                    hasFiller={hasFiller}
                    isPicked={tools.isPicked(records.at(index))}
                  />
                ))}
              </tbody>
            </table>
          </div>
        </div>
        <p class="unseen" role="status">
          {said}
        </p>
      </section>
      {tools.layer}
    </>
  );
}

/** In a view that is narrower than this, the id leaves room for the others. */
const NARROW_VIEW = 560;
const NARROW_ID = 112;

/** The columns with the widths that were chosen, that of a dragged edge included. */
function useWidths(columns: readonly Column[], layout: TableLayout, narrowed: string | undefined) {
  const [dragged, setDragged] = useState<{ name: string; width: number }>();
  // The order after a drag is kept by now.
  useLayoutEffect(() => setDragged(undefined), [layout]);
  const sized = useMemo(() => {
    const widths = dragged ? { ...layout.widths, [dragged.name]: dragged.width } : layout.widths;
    const chosen = sizeColumns(columns, { ...layout, widths });
    return chosen.map((column) =>
      column.name === narrowed ? { ...column, width: Math.min(NARROW_ID, column.width) } : column,
    );
  }, [columns, layout, dragged, narrowed]);
  const dragEdge = useCallback((name: string, width: number) => setDragged({ name, width }), []);
  return { sized, dragEdge };
}

/** The loaded records of the windows in sight. */
function recordsAround(records: RecordWindows, first: number, end: number): JsonObject[] {
  const from = Math.floor(first / WINDOW_SIZE) * WINDOW_SIZE;
  const to = Math.ceil(end / WINDOW_SIZE) * WINDOW_SIZE;
  return Array.from({ length: Math.max(0, to - from) }, (_, offset) => records.at(from + offset)).filter(
    (record) => record !== undefined,
  );
}

/** How many digits numbers in sight have behind the decimal point. Grows, but never shrinks: nothing jumps sideways. */
function useDigits(
  columns: readonly Column[],
  records: RecordWindows,
  first: number,
  end: number,
): ReadonlyMap<string, number> {
  const digits = useRef<ReadonlyMap<string, number>>(new Map());
  for (const { name, isNumber } of columns) {
    if (!isNumber) continue;
    for (let index = first; index < end; index++) {
      const value = records.at(index)?.[name];
      if (typeof value !== "number" || Number.isInteger(value)) continue;
      const found = fractionDigits(value);
      if (found > (digits.current.get(name) ?? 0)) digits.current = new Map(digits.current).set(name, found);
    }
  }
  return digits.current;
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
      const height = Math.max(ROW_HEIGHT, element.clientHeight - HEAD_HEIGHT);
      setSize((before) => (before.width === width && before.height === height ? before : { width, height }));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
  return size;
}
