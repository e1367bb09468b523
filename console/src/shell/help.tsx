import { Dialog } from "../ui/dialog.tsx";
import { SHORTCUTS } from "./shortcuts.ts";
import { VIEWS } from "./views.ts";

interface Shortcut {
  readonly keys: string;
  readonly does: string;
}

const GROUPS: readonly { readonly title: string; readonly shortcuts: readonly Shortcut[] }[] = [
  { title: "Anywhere", shortcuts: SHORTCUTS },
  { title: "Go to", shortcuts: VIEWS.map(({ keys, name }) => ({ keys, does: name })) },
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
      { keys: "Esc", does: "Close" },
    ],
  },
];

export function Help({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" shape="box" onClose={onClose}>
      <div class="shortcut-groups">
        {GROUPS.map(({ title, shortcuts }) => (
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
