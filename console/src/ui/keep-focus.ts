/** Elements that the Tab key stops at. */
const STOPS =
  "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex]";

/** Where one element stood: its parent, and its place among the children. */
type Step = readonly [parent: Element, place: number];

/**
 * Moves the focus to the nearest control when the one that has it goes away, such as the button that removes its own row:
 * on the page itself, the keys of a dialog are dead, and a screen reader starts at the top. A table of records moves the
 * focus by itself, and a pointer needs none.
 */
export function keepFocus(): void {
  let held: Element | undefined;
  let steps: readonly Step[] = [];
  addEventListener("pointerdown", () => {
    held = undefined;
  });
  addEventListener("keydown", () => hold(document.activeElement), { capture: true });
  addEventListener("focusin", ({ target }) => {
    if (held && target instanceof Element) hold(target);
  });

  function hold(element: Element | null): void {
    held = element && element !== document.body ? element : undefined;
    steps = held ? stepsTo(held) : [];
  }

  new MutationObserver(() => {
    if (!held || held.isConnected || document.activeElement !== document.body) return;
    // A dialog that goes gives the focus back by itself.
    if (held.closest("dialog")) return;
    const [home, place] = steps.find(([parent]) => parent.isConnected) ?? [];
    if (!home || place === undefined || home.closest(".scroller")) return;
    const next = nearest(home, place, held);
    hold(next);
    next?.focus();
  }).observe(document, { childList: true, subtree: true });
}

/** From the element outwards. */
function stepsTo(element: Element): Step[] {
  const steps: Step[] = [];
  for (let child = element; child.parentElement; child = child.parentElement) {
    steps.push([child.parentElement, [...child.parentElement.children].indexOf(child)]);
  }
  return steps;
}

/** A control like the lost one in what took its place, else any, else one around it. */
function nearest(home: Element, place: number, lost: Element): HTMLElement | null {
  const content = document.getElementById("content");
  // Of another view, nothing is near the old place.
  if (home.contains(content)) return content;
  const beside = [home.children[place], home.children[place - 1]].flatMap((one) => (one ? [stopsIn(one)] : []));
  const alike = beside.flat().find((stop) => stop.tagName === lost.tagName && stop.className === lost.className);
  const found = alike ?? beside.flat()[0];
  if (found) return found;
  for (let around: Element | null = home; around; around = around.parentElement) {
    const [first] = stopsIn(around);
    if (first) return first;
  }
  return content;
}

function stopsIn(element: Element): HTMLElement[] {
  const all = [element, ...element.querySelectorAll<HTMLElement>(STOPS)];
  return all.filter(
    (one): one is HTMLElement =>
      one instanceof HTMLElement && one.matches(STOPS) && one.tabIndex >= 0 && one.checkVisibility(),
  );
}
