/** The space that stays free at the edges of the window. */
const EDGE = 8;

/** Moves a box to a place, or as near to it as the window allows. */
export function moveWithinWindow(box: HTMLElement, left: number, top: number): void {
  box.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - box.offsetWidth - EDGE))}px`;
  box.style.top = `${Math.max(EDGE, Math.min(top, innerHeight - box.offsetHeight - EDGE))}px`;
}
