import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Json, JsonObject } from "../../api/json.ts";
import { useOverview } from "../../api/use-overview.ts";
import { isDotId } from "../../records/record-address.ts";
import { type CellPlace, cellAt, focusCell, placeOf, stopsIn } from "./cell-place.ts";
import { idsBetween } from "./ids-between.ts";
import { type RecordAtRow, rowOf } from "./record-at-row.ts";
import { AllBox } from "./row-head.tsx";
import type { EditedCell, RowTools as Loaded, MenuPlace } from "./row-tools.tsx";
import type { RowToolsOptions } from "./row-tools-options.ts";
import { countSelected, EVERYTHING, idOf, isSelected, NOTHING, select } from "./selection.ts";
import { useCellKeys } from "./use-cell-keys.ts";
import { useFileDrop } from "./use-file-drop.ts";

const NO_ROW = -1;

/** The parts of a table that act on its rows: picking them, menus, and editing in place. */
export interface TableTools {
  /** The beginning of the line of names. */
  readonly allBox: ComponentChildren;
  readonly isPicked: (record: JsonObject | undefined) => boolean;
  /** Listeners of the element that scrolls. */
  readonly listeners: {
    onClick(event: MouseEvent): void;
    onDblClick(event: MouseEvent): void;
    onContextMenu(event: MouseEvent): void;
    onDragOver(event: DragEvent): void;
    onDragLeave(event: DragEvent): void;
    onDrop(event: DragEvent): void;
  };
  /** Whether the key was meant for a row. */
  onKey(event: KeyboardEvent): boolean;
  /** Menus and editors, which lie above the table. */
  readonly layer: ComponentChildren;
}

export function useRowTools(options: RowToolsOptions): TableTools {
  const overview = useOverview();
  const { collection, idKey, columns, records, total, query, selection, onSelect, scroller } = options;
  const [menu, setMenu] = useState<MenuPlace>();
  const [cell, setCell] = useState<EditedCell>();
  /** Where a range begins. */
  const anchor = useRef<RecordAtRow | undefined>(undefined);
  useEffect(() => {
    anchor.current = undefined;
  }, [records]);
  // The code is there before it is wanted, but not before the table.
  const [RowTools, setRowTools] = useState<typeof Loaded>();
  useEffect(() => {
    import("./row-tools.tsx").then(
      (code) => setRowTools(() => code.RowTools),
      () => undefined,
    );
  }, []);

  // The same element for the same selection, so that the head is not drawn again with every row that scrolls by.
  const count = countSelected(selection, total);
  const allBox = useMemo(
    () => <AllBox count={count} total={total} onPickAll={(isOn) => onSelect(isOn ? EVERYTHING : NOTHING)} />,
    [count, total, onSelect],
  );

  const canEdit = ({ row, field }: CellPlace): boolean => {
    const id = idOf(records.at(row), idKey);
    return !overview.readOnly && id !== undefined && !isDotId(id) && field !== undefined && field !== idKey;
  };
  const edit = (place: CellPlace, typed?: string): void => {
    const record = records.at(place.row);
    if (!record || !canEdit(place)) return;
    const { row, field = "" } = place;
    // While the code of the editor loads, further letters still come to the cell.
    setCell((open) => {
      const isSame = open?.row === row && open.field === field && typed !== undefined;
      return { row, field, record, typed: isSame ? `${open.typed ?? ""}${typed}` : typed };
    });
  };
  const cells = useCellKeys(options, { canEdit, edit });
  const drop = useFileDrop(options, { canEdit, setFailure: cells.setFailure });
  const pick = async (row: number, isRange: boolean): Promise<void> => {
    const id = idOf(records.at(row), idKey);
    if (id === undefined) return;
    const isOn = !isSelected(selection, id);
    const from = isRange && anchor.current ? rowOf(anchor.current, records, idKey) : undefined;
    const ids = from === undefined ? [id] : await idsBetween(options, from, row);
    anchor.current = { row, record: records.at(row) as JsonObject };
    onSelect(select(selection, ids, isOn));
  };
  const openMenu = (place: CellPlace, at: MenuPlace["at"]): void => {
    const record = records.at(place.row);
    if (record && idOf(record, idKey) !== undefined) setMenu({ ...place, record, at });
  };
  // Other clients may have moved the record to another row; its editor goes along.
  const edited = cell && { ...cell, row: rowOf(cell, records, idKey) ?? NO_ROW };
  const leave = (to: "elsewhere" | "cell" | { readonly field: string }): void => {
    const { field, ...place } = edited as EditedCell;
    const next = typeof to === "object" ? to.field : field;
    setCell(
      typeof to === "object"
        ? { row: place.row, record: records.at(place.row) ?? place.record, field: next, typed: undefined }
        : undefined,
    );
    if (to === "elsewhere") return;
    const element = cellAt(scroller.current, { row: place.row, field: next });
    if (element && scroller.current) focusCell(scroller.current, element);
  };

  const actions: RowActions = { canEdit, edit, pick, openMenu };
  return {
    allBox,
    isPicked,
    listeners: { ...listenersFor(actions, cells.toggle), ...drop.listeners },
    onKey: (event) => isForRow(event, options, actions) || cells.onKey(event),
    layer: RowTools && (
      <RowTools
        {...{ collection, idKey, columns, query, scroller, menu }}
        cell={edited}
        upload={drop.upload}
        failure={cells.failure}
        onFailed={cells.setFailure}
        onQuery={options.onQuery}
        onEdit={(field) => menu && setCell({ row: menu.row, field, record: menu.record, typed: undefined })}
        onCloseMenu={() => setMenu(undefined)}
        onSaved={(saved, value) => showSaved(options, saved, value)}
        onLeave={leave}
      />
    ),
  };

  function isPicked(record: JsonObject | undefined): boolean {
    const id = idOf(record, idKey);
    return id !== undefined && isSelected(selection, id);
  }
}

/** Until the list has been fetched again. */
function showSaved({ records, idKey }: RowToolsOptions, { record, field }: EditedCell, value: Json | undefined): void {
  const id = idOf(record, idKey);
  records.replace(
    (one) => idOf(one, idKey) === id,
    (one) => withField(one, field, value),
  );
}

function withField(record: JsonObject, field: string, value: Json | undefined): JsonObject {
  if (value !== undefined) return { ...record, [field]: value };
  const { [field]: _, ...others } = record;
  return others;
}

interface RowActions {
  canEdit(place: CellPlace): boolean;
  edit(place: CellPlace, typed?: string): void;
  pick(row: number, isRange: boolean): Promise<void>;
  openMenu(place: CellPlace, at: MenuPlace["at"]): void;
}

/** Does what a key on a row says; returns whether it said something. */
function isForRow(event: KeyboardEvent, options: RowToolsOptions, actions: RowActions): boolean {
  const { columns, idKey, scroller, selection, onSelect } = options;
  const { canEdit, edit, pick } = actions;
  const keys: Readonly<Record<string, (place: CellPlace, event: KeyboardEvent) => boolean>> = {
    F2: (place) => {
      const first = columns.find(({ name }) => name !== idKey)?.name;
      edit({ row: place.row, field: place.field === undefined || place.field === idKey ? first : place.field });
      return true;
    },
    Enter: (place, event) => {
      if (event.target !== cellAt(scroller.current, place) || !canEdit(place)) return false;
      edit(place);
      return true;
    },
    " ": (place, event) => {
      if (event.target instanceof HTMLElement && event.target.closest("input, button")) return false;
      void pick(place.row, event.shiftKey);
      return true;
    },
    ArrowLeft: (_place, event) => step(event, -1),
    ArrowRight: (_place, event) => step(event, 1),
  };
  const step = ({ target }: KeyboardEvent, by: 1 | -1): boolean => {
    const row = target instanceof Element ? target.closest("[data-row]") : null;
    if (!row || !scroller.current) return false;
    const stops = stopsIn(row, idKey);
    const at = stops.findIndex((stop) => stop === target || stop.contains(target as Node));
    const next = stops[at + by];
    if (next) focusCell(scroller.current, next);
    return true;
  };
  const isCommand = event.ctrlKey || event.metaKey;
  if (isCommand && event.key === "a") {
    onSelect(EVERYTHING);
    return true;
  }
  if (event.key === "Escape" && selection !== NOTHING) {
    onSelect(NOTHING);
    return true;
  }
  const place = placeOf(event.target);
  return place !== undefined && !isCommand && !event.altKey && (keys[event.key]?.(place, event) ?? false);
}

function listenersFor(
  { canEdit, edit, pick, openMenu }: RowActions,
  toggle: (place: CellPlace) => void,
): Pick<TableTools["listeners"], "onClick" | "onDblClick" | "onContextMenu"> {
  return {
    onClick: (event) => {
      const place = placeOf(event.target);
      if (place && isOnSwitch(event)) return toggle(place);
      const control = event.target instanceof Element ? event.target.closest(".row-head > *") : null;
      if (!place || !control) return;
      if (control instanceof HTMLInputElement) void pick(place.row, event.shiftKey);
      else openMenu(place, control.getBoundingClientRect());
    },
    onDblClick: (event) => {
      const place = placeOf(event.target);
      if (!place || !canEdit(place) || isOnSwitch(event)) return;
      getSelection()?.removeAllRanges();
      edit(place);
    },
    onContextMenu: (event) => {
      const place = placeOf(event.target);
      // Links and selected text have a menu of the browser's own. A key opens it where the focus is, without a button.
      const isOnLink = event.target instanceof Element && event.target.closest("a") !== null && event.button === 2;
      if (!place || isOnLink || getSelection()?.isCollapsed === false) return;
      event.preventDefault();
      const { clientX: left, clientY: bottom } = event;
      const open = (): void => void setTimeout(() => openMenu(place, { left, bottom }));
      // A browser closes what is open when a button is released.
      if (event.buttons === 0) open();
      else addEventListener("pointerup", open, { once: true });
    },
  };
}

/** A finger opens the record instead. */
function isOnSwitch(event: MouseEvent): boolean {
  const isTouch = "pointerType" in event && event.pointerType === "touch";
  return !isTouch && event.target instanceof Element && event.target.closest(".switch") !== null;
}
