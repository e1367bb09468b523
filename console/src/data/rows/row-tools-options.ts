import type { RefObject } from "preact";
import type { ListQuery } from "../list-query.ts";
import type { RecordWindows } from "../record-windows.ts";
import type { Column } from "../table/columns.ts";
import type { Selection } from "./selection.ts";

/** A table, and what its tools read and change. */
export interface RowToolsOptions {
  readonly collection: string;
  readonly idKey: string;
  readonly columns: readonly Column[];
  readonly records: RecordWindows;
  readonly total: number;
  readonly query: ListQuery;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  readonly onQuery: (query: ListQuery) => void;
  readonly scroller: RefObject<HTMLElement>;
}
