import { useMemo, useReducer } from "preact/hooks";
import { PLAIN_LAYOUT, parseLayout, type TableLayout } from "./layout.ts";

/** The layout of a collection's table, kept in this browser. */
export function useLayout(collection: string): {
  layout: TableLayout;
  change: (changes: Partial<TableLayout>) => void;
} {
  const [version, countChange] = useReducer((count: number) => count + 1, 0);
  const place = `standin-table:${collection}`;
  const layout = useMemo(() => parseLayout(localStorage.getItem(place)), [place, version]);
  const change = (changes: Partial<TableLayout>): void => {
    const next = { ...layout, ...changes };
    if (JSON.stringify(next) === JSON.stringify(PLAIN_LAYOUT)) localStorage.removeItem(place);
    else localStorage.setItem(place, JSON.stringify(next));
    countChange(undefined);
  };
  return { layout, change };
}
