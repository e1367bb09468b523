import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { JsonObject } from "../../api/json.ts";
import { idKeyOf } from "../../api/overview.ts";
import { useOverview } from "../../api/use-overview.ts";
import { useNow } from "../../ui/use-now.ts";
import type { Clause } from "../condition.ts";
import type { ListQuery, Sort } from "../list-query.ts";
import { type RecordWindows, WINDOW_SIZE } from "../record-windows.ts";
import type { Selection } from "../rows/selection.ts";
import { useRowTools } from "../rows/use-row-tools.tsx";
import { CellPeek } from "./cell-peek.tsx";
import type { Column } from "./columns.ts";
import { fractionDigits } from "./decimals.ts";
import { sizeColumns, type TableLayout } from "./layout.ts";
import type { Looks } from "./looks.ts";
import { RecordRow } from "./record-row.tsx";
import { TableHead } from "./table-head.tsx";
import type { ColumnActions, FieldActions } from "./use-columns.ts";
import { useReferenceLabels } from "./use-reference-labels.ts";
import { HEAD_HEIGHT, useSight } from "./use-sight.ts";
import { scrollHeight } from "./virtual-rows.ts";
import "./record-table.css";

/** Of the cells that pick rows and open their menus. */
const ROW_HEAD_WIDTH = 72;
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
  readonly actions: ColumnActions & FieldActions;
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
  const [said, say] = useState("");
  const { labels, version: labelsVersion, look } = useReferenceLabels(looks);
  const now = useNow(MINUTE_MS);
  const idKey = idKeyOf(overview, collection);
  const tools = useRowTools({
    ...{ collection, idKey, columns, records, total, query, selection, onSelect, onQuery, scroller },
  });
  const sight = useSight({ scroller, records, total, query, columns, idKey, onKey: tools.onKey });
  const { first, end, extent } = sight;
  const digits = useDigits(columns, records, first, end);
  const { sized, dragEdge } = useWidths(columns, layout, sight.viewWidth < NARROW_VIEW ? idKey : undefined);

  useEffect(() => records.look(first, end));
  useEffect(() => look(recordsAround(records, first, end)));
  const width = sized.reduce((sum, column) => sum + column.width, ROW_HEAD_WIDTH);
  const hasFiller = !sized.some(({ isWide }) => isWide);
  const rows = Array.from({ length: Math.max(0, end - first) }, (_, offset) => first + offset);
  return (
    <>
      <section
        ref={scroller}
        class={extent.rowHeight < HEAD_HEIGHT ? "scroller is-compact" : "scroller"}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
        tabIndex={0}
        data-home
        aria-label={`Records of ${collection}`}
        onScroll={({ currentTarget }) => {
          const { scrollTop, scrollLeft } = currentTarget;
          currentTarget.classList.toggle("is-aside", scrollLeft > 0);
          sight.follow(scrollTop);
        }}
        onKeyDown={sight.press}
        onFocusIn={sight.hold}
        {...tools.listeners}
      >
        <div class="spacer" style={{ height: scrollHeight(extent) + HEAD_HEIGHT, minWidth: width }}>
          <div class="sight" style={{ height: Math.min(extent.viewHeight, total * extent.rowHeight) + HEAD_HEIGHT }}>
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
              <tbody style={{ transform: `translateY(${-sight.shift}px)` }}>
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
      <CellPeek scroller={scroller} records={records} />
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
