/**
 * The arithmetic of a list that is far longer than what a browser can scroll. Browsers stop at some ten million pixels, a
 * million records need thirty-six. So there are two places: where the scrollbar stands (`scrollTop`, within what a browser
 * can do) and where the list stands (`top`, in pixels of the real list). A small move of the scrollbar moves the list by the
 * same; a large one is a jump and moves it in proportion. When the scrolling rests, the scrollbar is put back into
 * proportion.
 */
export interface Extent {
  readonly rowCount: number;
  readonly rowHeight: number;
  /** Pixels for rows in the window. */
  readonly viewHeight: number;
}

export interface Place {
  readonly scrollTop: number;
  readonly top: number;
}

/** Safe in every browser. */
export const MAX_SCROLL_HEIGHT = 8_000_000;

/** The height to give the scrolled element. */
export function scrollHeight({ rowCount, rowHeight }: Extent): number {
  return Math.min(rowCount * rowHeight, MAX_SCROLL_HEIGHT);
}

/** Where the list stands after the scrollbar has moved to `scrollTop`. */
export function follow(place: Place, scrollTop: number, extent: Extent): Place {
  const { listRange, scrollRange } = rangesOf(extent);
  if (scrollRange === listRange) return { scrollTop, top: clamp(scrollTop, listRange) };
  if (scrollTop <= 0) return { scrollTop: 0, top: 0 };
  if (scrollTop >= scrollRange) return { scrollTop, top: listRange };
  const move = scrollTop - place.scrollTop;
  const isJump = Math.abs(move) > extent.viewHeight * 2;
  const top = isJump ? (scrollTop / scrollRange) * listRange : place.top + move;
  return { scrollTop, top: clamp(top, listRange) };
}

/** The list at a place of its own, with the scrollbar in proportion to it. */
export function placeAt(top: number, extent: Extent): Place {
  const { listRange, scrollRange } = rangesOf(extent);
  const clamped = clamp(top, listRange);
  if (scrollRange === listRange || listRange === 0) return { scrollTop: clamped, top: clamped };
  return { scrollTop: Math.round((clamped / listRange) * scrollRange), top: clamped };
}

/** The place that shows a row: the nearest one to where the list stands now. */
export function revealRow(row: number, place: Place, extent: Extent): Place {
  const rowTop = row * extent.rowHeight;
  if (rowTop < place.top) return placeAt(rowTop, extent);
  const lowest = rowTop + extent.rowHeight - extent.viewHeight;
  return lowest > place.top ? placeAt(lowest, extent) : place;
}

/** The rows in sight, end exclusive, and how far the first one is above the edge. */
export function rowsInSight(
  { top }: Place,
  { rowCount, rowHeight, viewHeight }: Extent,
): { first: number; end: number; shift: number } {
  const first = Math.min(Math.floor(top / rowHeight), Math.max(0, rowCount - 1));
  const end = Math.min(rowCount, Math.ceil((top + viewHeight) / rowHeight));
  return { first: Math.max(0, first), end, shift: top - first * rowHeight };
}

function rangesOf(extent: Extent): { listRange: number; scrollRange: number } {
  const { rowCount, rowHeight, viewHeight } = extent;
  return {
    listRange: Math.max(0, rowCount * rowHeight - viewHeight),
    scrollRange: Math.max(0, scrollHeight(extent) - viewHeight),
  };
}

function clamp(value: number, most: number): number {
  return Math.min(Math.max(0, value), most);
}
