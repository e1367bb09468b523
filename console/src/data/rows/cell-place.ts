/** A cell of the table: which row of the list, which field. */
export interface CellPlace {
  readonly row: number;
  readonly field: string | undefined;
}

/** The cell that an element is in. */
export function placeOf(target: EventTarget | null): CellPlace | undefined {
  const element = target instanceof Element ? target : undefined;
  const row = element?.closest("[data-row]");
  if (!(row instanceof HTMLElement)) return undefined;
  const cell = element?.closest("[data-field]");
  return { row: Number(row.dataset.row), field: cell instanceof HTMLElement ? cell.dataset.field : undefined };
}

/** The element of a cell; null while it is out of sight. */
export function cellAt(scroller: HTMLElement | null, { row, field }: CellPlace): HTMLElement | null {
  return scroller?.querySelector(`[data-row="${row}"] [data-field="${CSS.escape(field ?? "")}"]`) ?? null;
}

/** The element of a cell that takes the focus: the link to the record, or the cell itself. */
export function focusOf(cell: HTMLElement, idKey: string): HTMLElement {
  return (cell.dataset.field === idKey && cell.querySelector("a")) || cell;
}

/** The places of a row that the arrow keys lead to, from left to right. */
export function stopsIn(row: Element, idKey: string): HTMLElement[] {
  const found = row.querySelectorAll<HTMLElement>(".row-head > *, [data-field]");
  return [...found].map((element) => focusOf(element, idKey));
}

/** Moves the focus to a cell, and the table sideways where that is needed to see it. */
export function focusCell(scroller: HTMLElement, element: HTMLElement): void {
  element.focus({ preventScroll: true });
  const cell = element.closest("td") ?? element;
  const { left, right } = cell.getBoundingClientRect();
  const view = scroller.getBoundingClientRect();
  const frozen = frozenWidth(cell);
  if (left < view.left + frozen) scroller.scrollLeft -= view.left + frozen - left;
  else if (right > view.right) scroller.scrollLeft += Math.min(right - view.right, left - view.left - frozen);
}

/** The width of the cells before this one that stay where they are. */
function frozenWidth(cell: HTMLElement): number {
  const cells = [...(cell.parentElement?.children ?? [])];
  if (getComputedStyle(cell).position === "sticky") return 0;
  return cells
    .filter((one) => getComputedStyle(one).position === "sticky")
    .reduce((sum, one) => sum + one.getBoundingClientRect().width, 0);
}
