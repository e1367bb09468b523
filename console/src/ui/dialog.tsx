import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { Icon } from "./icon.tsx";

interface DialogProps {
  readonly title: string;
  /** `drawer`: at the side, for things to work on; `box`: in the middle, for a question. */
  readonly shape: "drawer" | "box";
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** Beside the title. */
  readonly actions?: ComponentChildren;
}

/** A modal window: the browser keeps the focus inside, Escape closes it, and the focus goes back where it was. */
export function Dialog({ title, shape, onClose, children, actions }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = element.current;
    const before = document.activeElement;
    dialog?.showModal();
    // Not on the close button, where the browser would put it, nor in any field but one that asks for it: a phone would open its keyboard.
    const first = dialog?.querySelector<HTMLElement>("[data-first]") ?? dialog?.querySelector("h2");
    first?.focus();
    return () => {
      dialog?.close();
      const isGone = before === document.body || !before?.isConnected;
      const next = isGone ? document.querySelector("[data-home]") : before;
      if (next instanceof HTMLElement) next.focus({ preventScroll: isGone });
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={`dialog ${shape}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header class="row dialog-head">
        <h2 id={titleId} tabIndex={-1}>
          {title}
        </h2>
        {actions}
        <button type="button" class="icon-button" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <div class="column dialog-body">{children}</div>
    </dialog>
  );
}
