/** Every shortcut: what is pressed, and what it does. The help lists this table, and nothing else knows the keys. */
export const SHORTCUTS = [
  { keys: "1", does: "Overview", action: "overview" },
  { keys: "2", does: "Data", action: "data" },
  { keys: "3", does: "Request", action: "request" },
  { keys: "4", does: "Traffic", action: "traffic" },
  { keys: "5", does: "Test lab", action: "lab" },
  { keys: "6", does: "Snapshots", action: "snapshots" },
  { keys: "/", does: "Search the list", action: "search" },
  { keys: "n", does: "New record", action: "new" },
  { keys: "u", does: "Undo the last change", action: "undo" },
  { keys: "t", does: "Light or dark", action: "theme" },
  { keys: "?", does: "This list", action: "help" },
] as const;

export type Action = (typeof SHORTCUTS)[number]["action"];

/** The action of a key; undefined while the person is typing or a dialog is open. */
export function actionOf(event: KeyboardEvent): Action | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const target = event.target;
  if (target instanceof HTMLElement && target.closest("input, textarea, select, dialog, [popover]")) return undefined;
  return SHORTCUTS.find(({ keys }) => keys === event.key)?.action;
}
