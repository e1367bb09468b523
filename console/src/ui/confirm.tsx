import type { ComponentChildren } from "preact";
import { Dialog } from "./dialog.tsx";

interface ConfirmProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** What happens, as a verb: "Restore". */
  readonly action: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** A question before something that changes much. */
export function Confirm({ title, children, action, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} shape="box" onClose={onClose}>
      {children}
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          class="button danger"
          onClick={() => {
            onClose();
            onConfirm();
          }}
        >
          {action}
        </button>
      </div>
    </Dialog>
  );
}
