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
  { keys: "U", does: "Redo it", action: "redo" },
  { keys: "t", does: "Light or dark", action: "theme" },
  { keys: "?", does: "This list", action: "help" },
] as const;

export type Action = (typeof SHORTCUTS)[number]["action"] | (typeof VIEWS)[number]["view"];

/** The action of a key; undefined while the person is typing or a dialog is open. The palette opens from anywhere. */
export function actionOf(event: KeyboardEvent): Action | undefined {
  if (isPaletteKey(event)) return "palette";
  const target = event.target;
  if (target instanceof HTMLElement && target.closest(TYPING)) return undefined;
  if (isCommand(event) && event.key.toLowerCase() === "z") return event.shiftKey ? "redo" : "undo";
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const view = VIEWS.find(({ keys }) => keys === event.key)?.view;
  return view ?? SHORTCUTS.find(({ keys }) => keys === event.key)?.action;
}

/** Where keys are meant for what has the focus. Boxes and sliders take no letters. */
const TYPING = "input:not([type=checkbox], [type=range]), textarea, select, dialog, [popover]";

function isPaletteKey(event: KeyboardEvent): boolean {
  return isCommand(event) && !event.shiftKey && event.key.toLowerCase() === "k";
}

function isCommand({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return (isApple ? metaKey : ctrlKey) && !altKey;
}
