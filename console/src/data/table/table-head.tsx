import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { formatName } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";
import type { Clause } from "../condition.ts";
import { type ListQuery, nextSort, type Sort } from "../list-query.ts";
import { ColumnMenu } from "./column-menu.tsx";
import type { Column } from "./columns.ts";
import type { TableLayout } from "./layout.ts";
import { type Looks, PLAIN } from "./looks.ts";
import { memo } from "./memo.ts";
import { classOf } from "./record-row.tsx";
import { ResizeHandle } from "./resize-handle.tsx";
import { useColumnDrag } from "./use-column-drag.ts";
import type { ColumnActions, FieldActions } from "./use-columns.ts";

interface TableHeadProps {
  /** Picks all rows. */
  readonly allBox: ComponentChildren;
  readonly collection: string;
  readonly idKey: string;
  readonly columns: readonly Column[];
  readonly looks: Looks;
  readonly layout: TableLayout;
  readonly query: ListQuery;
  readonly total: number;
  readonly actions: ColumnActions & FieldActions;
  readonly hasFiller: boolean;
  readonly onSort: (sort: readonly Sort[]) => void;
  readonly onFilter: (filters: readonly Clause[]) => void;
  /** While an edge is dragged. */
  readonly onDragEdge: (name: string, width: number) => void;
  /** Tells people who do not see it what has happened. */
  readonly say: (text: string) => void;
}

/**
 * The names of the columns: click to sort, drag to move, drag an edge to resize. One of them is a stop of the Tab key, from
 * which the arrow keys lead to the others, and move it together with Shift.
 */
export const TableHead = memo(function TableHead(props: TableHeadProps) {
  const { idKey, columns, actions, hasFiller, say } = props;
  const row = useRef<HTMLTableRowElement>(null);
  const names = columns.map(({ name }) => name);
  const [current, setCurrent] = useState<string>();
  const stop = current !== undefined && names.includes(current) ? current : names[0];
  const focusNext = useRef<string | undefined>(undefined);
  // The id stays first.
  const firstPlace = names[0] === idKey ? 1 : 0;
  const { drag, begin, endsDrag } = useColumnDrag(firstPlace, move);
  useLayoutEffect(() => {
    // An element that is moved loses the focus.
    if (focusNext.current !== undefined) focusHead(focusNext.current);
    focusNext.current = undefined;
  });

  function focusHead(name: string): void {
    const heads = [...(row.current?.querySelectorAll<HTMLElement>("[data-column]") ?? [])];
    const head = heads.find(({ dataset }) => dataset.column === name);
    head?.querySelector<HTMLElement>(".head-name")?.focus();
  }

  function move(name: string, place: number): void {
    if (place === names.indexOf(name)) return;
    actions.move(name, place);
    say(`${formatName(name)} is column ${place + 1} of ${names.length}`);
  }

  function press(event: KeyboardEvent, name: string): void {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const place = names.indexOf(name) + step;
    const next = names[place];
    if (next === undefined) return;
    if (!event.shiftKey) {
      setCurrent(next);
      focusHead(next);
    } else if (name !== idKey && place >= firstPlace) {
      focusNext.current = name;
      move(name, place);
    }
  }

  return (
    <thead>
      <tr ref={row} aria-rowindex={1} class={drag ? "dragging" : undefined}>
        <td class="row-head-cell">{props.allBox}</td>
        {columns.map((column, at) => (
          <ColumnHead
            key={column.name}
            {...props}
            {...{ column, at, names, firstPlace }}
            isStop={column.name === stop}
            drop={dropSide(drag, names, at)}
            onFocus={() => setCurrent(column.name)}
            onPointerDown={(event) => column.name !== idKey && begin(event, column.name)}
            onKeyDown={(event) => press(event, column.name)}
            endsDrag={endsDrag}
            move={move}
          />
        ))}
        {hasFiller && <td aria-hidden="true" />}
      </tr>
    </thead>
  );
});

interface ColumnHeadProps extends TableHeadProps {
  readonly column: TableHeadProps["columns"][number];
  readonly at: number;
  readonly names: readonly string[];
  readonly firstPlace: number;
  /** Whether the Tab key stops here. */
  readonly isStop: boolean;
  readonly drop: ReturnType<typeof dropSide>;
  readonly onFocus: () => void;
  readonly onPointerDown: (event: PointerEvent) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly endsDrag: () => boolean;
  readonly move: (name: string, place: number) => void;
}

function ColumnHead(props: ColumnHeadProps) {
  const { column, at, names, firstPlace, isStop, drop, onFocus, onPointerDown, onKeyDown, endsDrag, move } = props;
  const { collection, idKey, looks, layout, query, total, actions, onSort, onFilter, onDragEdge } = props;
  const { name, isNumber } = column;
  const sortedAt = query.sort.findIndex(({ path }) => path === name);
  const key = query.sort[sortedAt];
  return (
    <th
      scope="col"
      data-column={name}
      data-drop={drop}
      class={classOf(name === idKey, isNumber)}
      aria-label={formatName(name)}
      aria-sort={key && (key.descending ? "descending" : "ascending")}
      onFocusIn={onFocus}
    >
      <button
        type="button"
        class="row head-name"
        title={formatName(name)}
        tabIndex={isStop ? 0 : -1}
        onPointerDown={onPointerDown}
        onKeyDown={onKeyDown}
        onClick={({ shiftKey }) => {
          if (!endsDrag()) onSort(nextSort(query.sort, name, shiftKey));
        }}
      >
        <span class="cut">{formatName(name)}</span>
        {key && <Icon name={key.descending ? "down" : "up"} />}
        {key && query.sort.length > 1 && <span class="rank">{sortedAt + 1}</span>}
      </button>
      <ColumnMenu
        collection={collection}
        column={column}
        look={looks.get(name) ?? PLAIN}
        isPlain={layout.plain.includes(name)}
        place={name === idKey ? undefined : at}
        places={[firstPlace, names.length - 1]}
        hasOwnWidth={Object.hasOwn(layout.widths, name)}
        query={query}
        total={total}
        isTabStop={isStop}
        actions={{ ...actions, move }}
        onSort={onSort}
        onFilter={onFilter}
      />
      <ResizeHandle
        column={name}
        width={column.width}
        isTabStop={isStop}
        onDrag={(width) => onDragEdge(name, width)}
        onResize={(width) => actions.resize(name, width)}
      />
    </th>
  );
}

/** The edge of a column at which the dragged one would be dropped. */
function dropSide(
  drag: { name: string; place: number } | undefined,
  names: readonly string[],
  at: number,
): "before" | "after" | "self" | undefined {
  if (!drag) return undefined;
  if (names[at] === drag.name) return "self";
  const others = names.filter((name) => name !== drag.name);
  const place = others.indexOf(names[at] as string);
  if (place === drag.place) return "before";
  return drag.place >= others.length && place === others.length - 1 ? "after" : undefined;
}
