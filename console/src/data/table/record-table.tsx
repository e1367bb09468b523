import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Overview } from "../../api/overview.ts";
import { formatName } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";
import { type ListQuery, nextSort, type Sort } from "../list-query.ts";
import type { RecordWindows } from "../record-windows.ts";
import type { Column } from "./columns.ts";
import { RecordRow } from "./record-row.tsx";
import { type Extent, follow, type Place, placeAt, revealRow, rowsInSight, scrollHeight } from "./virtual-rows.ts";

const ROW_HEIGHT = 40;
const HEAD_HEIGHT = 40;
/** When nothing has moved for this long, the scrollbar is put back into proportion. */
const REST_MS = 160;

interface RecordTableProps {
  readonly overview: Overview;
  readonly collection: string;
  readonly columns: readonly Column[];
  readonly records: RecordWindows;
  readonly total: number;
  readonly query: ListQuery;
  readonly queryText: string;
  readonly onSort: (sort: readonly Sort[]) => void;
}

/** A table of any length: only the rows in sight are there, drawn into a window that stays put while the list moves. */
export function RecordTable(props: RecordTableProps) {
  const { overview, collection, columns, records, total, query, queryText, onSort } = props;
  const scroller = useRef<HTMLElement>(null);
  const viewHeight = useViewHeight(scroller);
  const [place, setPlace] = useState<Place>({ scrollTop: 0, top: 0 });
  const extent: Extent = { rowCount: total, rowHeight: ROW_HEIGHT, viewHeight };
  const { first, end, shift } = rowsInSight(place, extent);
  const focusRow = useRef<number | undefined>(undefined);

  useEffect(() => records.look(first, end));
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
    const link = scroller.current?.querySelector<HTMLElement>(`[data-row="${focusRow.current}"] a`);
    link?.focus({ preventScroll: true });
    if (link) focusRow.current = undefined;
  }

  function moveTo(next: Place): void {
    const element = scroller.current;
    if (element && Math.abs(element.scrollTop - next.scrollTop) > 1) element.scrollTop = next.scrollTop;
    setPlace(next);
  }

  function press(event: KeyboardEvent): void {
    const from = focusRow.current ?? rowOf(event.target);
    const row = nextRow(event.key, from, Math.max(1, end - first - 2), total);
    if (row === undefined) return;
    event.preventDefault();
    focusRow.current = row;
    // The row that has the focus may be gone before the next one is there; then the keys must still arrive here.
    if (row < first || row >= end) scroller.current?.focus({ preventScroll: true });
    // A row in sight moves nothing, so nothing would be drawn anew.
    else focusWantedRow();
    moveTo(revealRow(row, place, extent));
  }

  const width = columns.reduce((sum, column) => sum + column.width, 0);
  const rows = Array.from({ length: Math.max(0, end - first) }, (_, offset) => first + offset);
  return (
    <section
      ref={scroller}
      class="scroller"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
      tabIndex={0}
      aria-label={`Records of ${collection}`}
      onScroll={({ currentTarget: { scrollTop } }) => setPlace((from) => follow(from, scrollTop, extent))}
      onKeyDown={press}
    >
      <div class="spacer" style={{ height: scrollHeight(extent) + HEAD_HEIGHT, minWidth: width }}>
        <div class="sight" style={{ height: Math.min(viewHeight, total * ROW_HEIGHT) + HEAD_HEIGHT }}>
          <table class="records" aria-rowcount={total + 1} style={{ minWidth: width }}>
            <colgroup>
              {columns.map(({ name, width, isWide }) => (
                <col key={name} style={isWide ? {} : { width }} />
              ))}
            </colgroup>
            <thead>
              <tr aria-rowindex={1}>
                {columns.map((column) => (
                  <HeadCell key={column.name} column={column} sort={query.sort} onSort={onSort} />
                ))}
              </tr>
            </thead>
            <tbody style={{ transform: `translateY(${-shift}px)` }}>
              {rows.map((index) => (
                <RecordRow
                  key={index}
                  index={index}
                  record={records.at(index)}
                  columns={columns}
                  collection={collection}
                  overview={overview}
                  query={queryText}
                />
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </section>
  );
}

interface HeadCellProps {
  readonly column: Column;
  readonly sort: readonly Sort[];
  readonly onSort: (sort: readonly Sort[]) => void;
}

function HeadCell({ column: { name, isNumber }, sort, onSort }: HeadCellProps) {
  const at = sort.findIndex(({ path }) => path === name);
  const key = sort[at];
  return (
    <th
      scope="col"
      class={isNumber ? "number" : undefined}
      aria-sort={key && (key.descending ? "descending" : "ascending")}
    >
      <button type="button" onClick={({ shiftKey }) => onSort(nextSort(sort, name, shiftKey))}>
        <span class="cut">{formatName(name)}</span>
        {key && <Icon name={key.descending ? "down" : "up"} />}
        {key && sort.length > 1 && <span class="rank">{at + 1}</span>}
      </button>
    </th>
  );
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

function rowOf(target: EventTarget | null): number | undefined {
  const row = target instanceof Element ? target.closest("[data-row]") : null;
  return row instanceof HTMLElement ? Number(row.dataset.row) : undefined;
}

function useViewHeight(scroller: { current: HTMLElement | null }): number {
  const [height, setHeight] = useState(600);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const measure = (): void => setHeight(Math.max(ROW_HEIGHT, element.clientHeight - HEAD_HEIGHT));
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
  return height;
}
