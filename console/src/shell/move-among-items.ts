const STEPS: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowDown: (index, count) => (index + 1) % count,
  ArrowUp: (index, count) => (index - 1 + count) % count,
  Home: () => 0,
  End: (_index, count) => count - 1,
};

/** Moves the focus between the links and buttons of a list with the arrow keys. */
export function moveAmongItems(event: KeyboardEvent): void {
  const step = STEPS[event.key];
  if (!step) return;
  const items = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>(".menu-item")];
  const index = items.indexOf(document.activeElement as HTMLElement);
  if (items.length === 0) return;
  event.preventDefault();
  items[step(index, items.length)]?.focus();
}
