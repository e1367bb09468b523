const STEPS: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowDown: (index, count) => (index + 1) % count,
  ArrowUp: (index, count) => (index - 1 + count) % count,
  Home: () => 0,
  End: (_index, count) => count - 1,
};

/** Moves the focus between the items of a menu with the arrow keys. */
export function moveFocus(event: KeyboardEvent): void {
  const step = STEPS[event.key];
  // In a text, the other keys move the cursor.
  if (event.target instanceof HTMLInputElement && !event.key.startsWith("Arrow")) return;
  const items = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>(".menu-item:not(:disabled)")];
  if (!step || items.length === 0) return;
  event.preventDefault();
  items[step(items.indexOf(document.activeElement as HTMLElement), items.length)]?.focus();
}
