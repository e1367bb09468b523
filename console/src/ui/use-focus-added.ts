import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * Moves the focus into the last row of a list when its own button has added one. `row` selects the rows, and `count` is
 * their number; rows that come from elsewhere move nothing.
 */
export function useFocusAdded<List extends HTMLElement>(row: string, count: number): RefObject<List> {
  const list = useRef<List>(null);
  const before = useRef(count);
  useLayoutEffect(() => {
    if (count > before.current && list.current?.contains(document.activeElement)) {
      const added = [...list.current.querySelectorAll(row)].at(-1);
      added?.querySelector<HTMLElement>("input, select")?.focus();
    }
    before.current = count;
  }, [row, count]);
  return list;
}
