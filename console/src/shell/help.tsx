import { useKnownOverview } from "../api/use-overview.ts";
import { Dialog } from "../ui/dialog.tsx";
import { SHORTCUTS } from "./shortcuts.ts";
import { viewsFor } from "./views.ts";

interface ShortcutGroup {
  readonly title: string;
  readonly shortcuts: readonly Shortcut[];
}

interface Shortcut {
  readonly keys: string;
  readonly does: string;
}

const IN_PLACES: readonly ShortcutGroup[] = [
  {
    title: "In a list",
    shortcuts: [
      { keys: "↑, ↓", does: "Move" },
      { keys: "PgUp, PgDn", does: "Move by a page" },
      { keys: "Home, End", does: "Move to the end" },
      { keys: "←, →", does: "Move in the row" },
      { keys: "Enter", does: "Open, or edit the cell" },
      { keys: "F2", does: "Edit the cell" },
      { keys: "Space", does: "Select the row" },
      { keys: "Ctrl A", does: "Select all that match" },
      { keys: "Shift F10", does: "Menu of the row" },
    ],
  },
  {
    title: "In a dialog",
    shortcuts: [
      { keys: "Ctrl Enter", does: "Save the record" },
      { keys: "Alt Enter", does: "Options of the field" },
      { keys: "Esc", does: "Close" },
    ],
  },
];

export function Help({ onClose }: { onClose: () => void }) {
  const views = viewsFor(useKnownOverview()).map(({ keys, name }) => ({ keys, does: name }));
  const groups = [{ title: "Anywhere", shortcuts: SHORTCUTS }, { title: "Go to", shortcuts: views }, ...IN_PLACES];
  return (
    <Dialog title="Keyboard shortcuts" shape="box" onClose={onClose}>
      <div class="shortcut-groups">
        {groups.map(({ title, shortcuts }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl class="shortcuts">
              {shortcuts.map(({ keys, does }) => (
                <div key={keys}>
                  <dt>
                    {keys.split(", ").map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
