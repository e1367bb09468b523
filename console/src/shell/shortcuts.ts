import { VIEWS } from "./views.ts";

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** The keys that open the palette, as people read them. */
export const PALETTE_KEYS = isApple ? "⌘ K" : "Ctrl K";

/** Every shortcut: what is pressed, and what it does. The help lists this table, and nothing else knows the keys. */
export const SHORTCUTS = [
  { keys: PALETTE_KEYS, does: "Search and commands", action: "palette" },
  { keys: "s", does: "Switch the sandbox", action: "switch" },
  { keys: "/", does: "Search the list", action: "search" },
  { keys: "n", does: "New record", action: "new" },
  { keys: "u", does: "Undo the change", action: "undo" },
  { keys: "t", does: "Light or dark", action: "theme" },
  { keys: "?", does: "This list", action: "help" },
] as const;

export type Action = (typeof SHORTCUTS)[number]["action"] | (typeof VIEWS)[number]["view"];

/** The action of a key; undefined while the person is typing or a dialog is open. The palette opens from anywhere. */
export function actionOf(event: KeyboardEvent): Action | undefined {
  if (isPaletteKey(event)) return "palette";
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const target = event.target;
  if (target instanceof HTMLElement && target.closest("input, textarea, select, dialog, [popover]")) return undefined;
  const view = VIEWS.find(({ keys }) => keys === event.key)?.view;
  return view ?? SHORTCUTS.find(({ keys }) => keys === event.key)?.action;
}

function isPaletteKey({ ctrlKey, metaKey, altKey, shiftKey, key }: KeyboardEvent): boolean {
  return (isApple ? metaKey : ctrlKey) && !altKey && !shiftKey && key.toLowerCase() === "k";
}
