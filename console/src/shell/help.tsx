import { Dialog } from "../ui/dialog.tsx";
import { SHORTCUTS } from "./shortcuts.ts";

const IN_LISTS = [
  { keys: "↑ ↓", does: "Move in the focused list" },
  { keys: "Page Up, Page Down, Home, End", does: "Move further" },
  { keys: "Enter", does: "Open the record" },
  { keys: "Ctrl + Enter", does: "Save the record" },
  { keys: "Esc", does: "Close the dialog" },
];

export function Help({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" shape="box" onClose={onClose}>
      <dl class="shortcuts">
        {[...SHORTCUTS, ...IN_LISTS].map(({ keys, does }) => (
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
    </Dialog>
  );
}
