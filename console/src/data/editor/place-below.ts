/** The space that stays free at the edges of the window. */
const EDGE = 8;
const GAP = 4;
/** Less room than this below, and a list goes above if there is more. */
const ENOUGH = 200;

/** Puts a list below its field, or above it where there is more room, as wide as the field and within the window. */
export function placeBelow(list: HTMLElement, field: HTMLElement): void {
  const { left, top, bottom, width } = field.getBoundingClientRect();
  const height = window.visualViewport?.height ?? innerHeight;
  const below = height - bottom - GAP - EDGE;
  const above = top - GAP - EDGE;
  const isAbove = below < ENOUGH && above > below;
  list.style.left = `${left}px`;
  list.style.width = `${width}px`;
  list.style.maxHeight = `${Math.max(0, isAbove ? above : below)}px`;
  list.style.top = isAbove ? "auto" : `${bottom + GAP}px`;
  list.style.bottom = isAbove ? `${innerHeight - top + GAP}px` : "auto";
}
