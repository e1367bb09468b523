import { useMemo } from "preact/hooks";
import type { JsonObject } from "../../api/json.ts";
import { idKeyOf } from "../../api/overview.ts";
import { useEvent } from "../../api/use-event.ts";
import { useOverview } from "../../api/use-overview.ts";
import type { ListQuery } from "../list-query.ts";
import { type Column, columnsOf, SHOWN_COLUMNS } from "./columns.ts";
import { moveColumn, orderColumns, PLAIN_LAYOUT, type TableLayout } from "./layout.ts";
import { dressColumns, fitColumns, type Looks, looksOf } from "./looks.ts";

/** The actions on a column of a table. */
export interface ColumnActions {
  /** To a place among the columns shown, counted without this one. */
  readonly move: (name: string, place: number) => void;
  readonly hide: (name: string) => void;
  /** Undefined: back to the width that fits its type. */
  readonly resize: (name: string, width: number | undefined) => void;
  readonly togglePlain: (name: string) => void;
}

/** The actions on a field, which change the list or its records. */
export interface FieldActions {
  readonly filter: (name: string) => void;
  readonly group: (name: string) => void;
  /** Undefined where nothing can be written. */
  readonly rename: ((name: string) => void) | undefined;
  readonly remove: ((name: string) => void) | undefined;
}

interface ColumnsInput {
  readonly collection: string;
  /** Known from the description and from records. */
  readonly known: readonly Column[];
  readonly records: () => readonly JsonObject[];
  readonly query: ListQuery;
  readonly setQuery: (query: ListQuery) => void;
  readonly layout: TableLayout;
  readonly changeLayout: (changes: Partial<TableLayout>) => void;
}

/** The columns of a table: all of them and those shown, in their order, and what can be done with them. */
export function useColumns(input: ColumnsInput): {
  all: readonly Column[];
  shown: readonly Column[];
  looks: Looks;
  actions: ColumnActions;
  /** Undefined: all of them. */
  pick: (names: readonly string[] | undefined) => void;
} {
  const overview = useOverview();
  const { collection, known, records, query, setQuery, layout, changeLayout } = input;
  const idKey = idKeyOf(overview, collection);
  const recordsNow = useEvent(records);
  const looks = useMemo(
    () => looksOf(overview, collection, known, recordsNow()),
    [overview, collection, known, recordsNow],
  );
  const all = useMemo(() => {
    const fitted = fitColumns(dressColumns(known, looks), looks, recordsNow());
    return orderColumns([...fitted, ...unknownColumns(known, layout)], idKey, layout);
  }, [known, looks, idKey, layout, recordsNow]);
  const shown = useMemo(() => shownColumns(all, query.fields, { idKey, layout }), [all, query.fields, idKey, layout]);
  const names = all.map(({ name }) => name);
  const pick = (picked: readonly string[] | undefined): void => {
    changeLayout({ hidden: picked ? names.filter((name) => !picked.includes(name)) : [] });
    setQuery({ ...query, fields: picked });
  };
  const actions: ColumnActions = {
    move: (name, place) => {
      const now = shown.map((column) => column.name);
      const moved = moveColumn(names, now, name, place);
      changeLayout({ order: moved.filter((one) => one !== idKey) });
      // A link to the list shows the columns in the same order.
      setQuery({ ...query, fields: moved.filter((one) => now.includes(one)) });
    },
    hide: (name) => pick(shown.map((column) => column.name).filter((one) => one !== name)),
    resize: (name, width) => {
      const { [name]: _, ...others } = layout.widths;
      changeLayout({ widths: width === undefined ? others : { ...others, [name]: width } });
    },
    togglePlain: (name) =>
      changeLayout({
        plain: layout.plain.includes(name) ? layout.plain.filter((one) => one !== name) : [...layout.plain, name],
      }),
  };
  return { all, shown, looks, actions, pick };
}

/** Columns that are hidden from the start are not fetched, so that nothing else may tell of them. */
function unknownColumns(known: readonly Column[], { hidden }: TableLayout): Column[] {
  const missing = hidden.filter((name) => !known.some((column) => column.name === name));
  return missing.flatMap((name) => columnsOf(name, [], []));
}

/** A link that names columns wins over those that were hidden or moved by hand. */
function shownColumns(
  all: readonly Column[],
  fields: readonly string[] | undefined,
  { idKey, layout: { hidden } }: { readonly idKey: string; readonly layout: TableLayout },
): readonly Column[] {
  if (fields) {
    const named = all.filter(({ name }) => fields.includes(name));
    return orderColumns(named, idKey, { ...PLAIN_LAYOUT, order: fields });
  }
  if (hidden.length > 0) return all.filter(({ name }) => !hidden.includes(name));
  return all.slice(0, SHOWN_COLUMNS);
}
