import { useLayoutEffect, useRef } from "preact/hooks";
import type { RecordWindows } from "../record-windows.ts";
import { type CellPlace, placeOf } from "../rows/cell-place.ts";
import { type RecordAtRow, rowOf } from "../rows/record-at-row.ts";

/** Notes which record has the focus, and tells the cell to which others' writes have moved it. */
export function useHeldRecord(
  records: RecordWindows,
  idKey: string,
  onMoved: (to: CellPlace) => void,
): (event: FocusEvent) => void {
  const held = useRef<RecordAtRow | undefined>(undefined);
  useLayoutEffect(() => {
    const at = held.current;
    const here = at && placeOf(document.activeElement);
    const record = at && records.at(at.row);
    if (!at || !record || here?.row !== at.row) return;
    const row = rowOf(at, records, idKey);
    held.current = row === undefined ? { row: at.row, record } : { ...at, row };
    if (row !== undefined && row !== at.row) onMoved({ row, field: here.field });
  });
  return ({ target }) => {
    const row = placeOf(target)?.row;
    const record = row === undefined ? undefined : records.at(row);
    held.current = row === undefined || !record ? undefined : { row, record };
  };
}
