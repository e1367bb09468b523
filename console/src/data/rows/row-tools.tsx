import type { RefObject } from "preact";
import { type Json, type JsonObject, ownValue } from "../../api/json.ts";
import { asRefusal, Refusal } from "../../api/refusal.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Problem } from "../../ui/notice.tsx";
import { UploadProgress } from "../../ui/upload-progress.tsx";
import { ViolationList } from "../../ui/violation-list.tsx";
import type { ListQuery } from "../list-query.ts";
import type { Column } from "../table/columns.ts";
import { CellEditor } from "./cell-editor.tsx";
import { type CellPlace, cellAt } from "./cell-place.ts";
import type { Upload } from "./drop-files.ts";
import { RowMenu } from "./row-menu.tsx";
import { idOf } from "./selection.ts";
import type { Leaving } from "./use-cell-input.ts";

/** The row whose menu is open, and where. */
export interface MenuPlace extends CellPlace {
  readonly record: JsonObject;
  readonly at: { readonly left: number; readonly bottom: number };
}

/** The cell that is edited. */
export interface EditedCell {
  readonly row: number;
  readonly field: string;
  readonly record: JsonObject;
  /** The key that began it, in place of the value. */
  readonly typed: string | undefined;
}

interface RowToolsProps {
  readonly collection: string;
  readonly idKey: string;
  readonly columns: readonly Column[];
  readonly query: ListQuery;
  readonly scroller: RefObject<HTMLElement>;
  readonly menu: MenuPlace | undefined;
  readonly cell: EditedCell | undefined;
  /** A file that is being sent to a cell. */
  readonly upload: Upload | undefined;
  /** Why something was not done, until it is read. */
  readonly failure: Refusal | undefined;
  readonly onFailed: (failure: Refusal | undefined) => void;
  readonly onQuery: (query: ListQuery) => void;
  readonly onEdit: (field: string) => void;
  readonly onCloseMenu: () => void;
  readonly onSaved: (cell: EditedCell, value: Json | undefined) => void;
  /** The editor is to be closed, or to move to another field of the row. */
  readonly onLeave: (to: "elsewhere" | "cell" | { readonly field: string }) => void;
}

/** The menu of a row, and the editor of a cell. */
export function RowTools(props: RowToolsProps) {
  const { collection, idKey, columns, query, scroller, menu, cell, failure: refusal, onFailed: setRefusal } = props;
  const column = columns.find(({ name }) => name === cell?.field);
  const leave = (to: Leaving): void => {
    const fields = columns.map(({ name }) => name).filter((name) => name !== idKey);
    const field = fields[fields.indexOf(cell?.field ?? "") + (to === "next" ? 1 : -1)];
    const isToNeighbour = to === "next" || to === "previous";
    props.onLeave(isToNeighbour ? (field === undefined ? "cell" : { field }) : to);
  };
  return (
    <>
      {menu && (
        <RowMenu
          key={`${menu.row} ${menu.field} ${menu.at.left} ${menu.at.bottom}`}
          row={{ collection, idKey, id: idOf(menu.record, idKey) ?? "" }}
          record={menu.record}
          field={menu.field}
          at={menu.at}
          {...{ columns, query }}
          onQuery={props.onQuery}
          onEdit={props.onEdit}
          onFailed={(title, thrown) => setRefusal(titled(title, thrown))}
          onClose={props.onCloseMenu}
        />
      )}
      {cell && column && (
        <CellEditor
          key={`${idOf(cell.record, idKey)} ${cell.field}`}
          row={{ collection, idKey, id: idOf(cell.record, idKey) ?? "" }}
          column={column}
          value={ownValue(cell.record, cell.field)}
          typed={cell.typed}
          cell={() => cellAt(scroller.current, cell)}
          onSaved={(value) => props.onSaved(cell, value)}
          onLeave={leave}
        />
      )}
      {props.upload && <UploadProgress {...props.upload} />}
      {refusal && (
        <Dialog title={refusal.title} shape="box" onClose={() => setRefusal(undefined)}>
          <Problem refusal={refusal}>
            {refusal.violations.length > 0 ? (
              <ViolationList violations={refusal.violations} showsValues />
            ) : (
              <p>{refusal.message}</p>
            )}
          </Problem>
          <div class="cluster actions">
            <Button onClick={() => setRefusal(undefined)}>Close</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

function titled(title: string, thrown: unknown): Refusal {
  const { status, code, message, violations } = asRefusal(thrown);
  return new Refusal(status, code, title, message, violations);
}
