import { useEffect, useState } from "preact/hooks";
import { type JsonObject, ownValue } from "../../api/json.ts";
import { asRefusal, Refusal } from "../../api/refusal.ts";
import { useEvent } from "../../api/use-event.ts";
import { useOverview } from "../../api/use-overview.ts";
import { type CellPlace, cellAt, placeOf } from "./cell-place.ts";
import { copiedCell, copiedRows } from "./copied-cells.ts";
import type { RowToolsOptions } from "./row-tools-options.ts";
import { countSelected, idOf, isSelected } from "./selection.ts";

interface CellActions {
  canEdit(place: CellPlace): boolean;
  edit(place: CellPlace, typed?: string): void;
}

/** The keys of a spreadsheet: type to replace, copy and paste, clear, fill down. */
export function useCellKeys(options: RowToolsOptions, { canEdit, edit }: CellActions) {
  const overview = useOverview();
  const { records, columns, idKey, scroller, selection, total } = options;
  const [failure, setFailure] = useState<Refusal>();
  const isAnyPicked = countSelected(selection, total) > 0;

  /** Loads the code that writes cells, and says why it did not. */
  const write = (work: (code: typeof import("./cell-actions.ts")) => Promise<unknown>): true => {
    void import("./cell-actions.ts").then(work).catch((thrown) => {
      const { status, code, message, violations } = asRefusal(thrown);
      setFailure(new Refusal(status, code, "Nothing was changed", message, violations));
    });
    return true;
  };
  const around = { ...options, overview };
  const set = (place: CellPlace, value: JsonObject[string]): true =>
    write((code) => code.setCell(around, place, value));
  const toggle = (place: CellPlace): void => {
    const value = valueAt(place);
    if (canEdit(place) && typeof value === "boolean") set(place, !value);
  };
  function valueAt({ row, field = "" }: CellPlace) {
    const record = records.at(row);
    return record && ownValue(record, field);
  }
  const fillDown = (place: CellPlace): boolean => {
    if (isAnyPicked) return write((code) => code.fillPicked(around, place));
    const above = place.row === 0 ? undefined : valueAt({ ...place, row: place.row - 1 });
    return above === undefined || set(place, above);
  };

  const onKey = (event: KeyboardEvent): boolean => {
    const { key, ctrlKey, metaKey, altKey, isComposing } = event;
    if (key === "Delete" && isAnyPicked && !overview.readOnly) {
      document.querySelector<HTMLElement>(".selection-bar .danger-text")?.click();
      return true;
    }
    const place = placeOf(event.target);
    if (!place || altKey || isComposing || event.target !== cellAt(scroller.current, place) || !canEdit(place)) {
      return false;
    }
    if (ctrlKey || metaKey) return key.toLowerCase() === "d" && fillDown(place);
    if (key === "Delete" || key === "Backspace") return valueAt(place) === null || set(place, null);
    if ([...key].length !== 1) return false;
    // Letters that are shortcuts elsewhere are text here.
    event.stopPropagation();
    edit(place, key);
    return true;
  };

  const copy = useEvent((event: ClipboardEvent): void => {
    const place = placeHere(event);
    if (!place || getSelection()?.isCollapsed === false) return;
    const picked = isAnyPicked
      ? records.known().filter((record) => isSelected(selection, idOf(record, idKey) ?? ""))
      : [];
    const text = picked.length > 0 ? copiedRows(picked, columns) : copiedCell(valueAt(place));
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
  });
  const paste = useEvent((event: ClipboardEvent): void => {
    const place = placeHere(event);
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!place || text === "" || overview.readOnly) return;
    event.preventDefault();
    write((code) => code.pasteBlock(around, place, text));
  });
  /** The cell that has the focus. */
  function placeHere(event: ClipboardEvent): (CellPlace & { readonly field: string }) | undefined {
    const place = placeOf(document.activeElement);
    const isElsewhere = event.target instanceof Element && event.target.closest("input, textarea, dialog, [popover]");
    return place?.field === undefined || isElsewhere || !scroller.current?.contains(document.activeElement)
      ? undefined
      : { row: place.row, field: place.field };
  }
  useEffect(() => {
    document.addEventListener("copy", copy);
    document.addEventListener("paste", paste);
    return () => {
      document.removeEventListener("copy", copy);
      document.removeEventListener("paste", paste);
    };
  }, [copy, paste]);
  return { onKey, toggle, failure, setFailure };
}
