import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Icon } from "./icon.tsx";

interface DialogProps {
  readonly title: string;
  /**
   * `drawer`: at the side, for things to work on; `box`: in the middle, for a question; `panel`: a drawer that leaves the
   * page beside it usable where there is room.
   */
  readonly shape: "drawer" | "box" | "panel";
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** Beside the title. */
  readonly actions?: ComponentChildren;
}

/** The width from which on a panel has room beside the page. */
const WIDE = "(min-width: 1400px)";

/** A modal window: the browser keeps the focus inside, Escape closes it, and the focus goes back where it was. */
export function Dialog({ title, shape, onClose, children, actions }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const isBeside = useState(() => shape === "panel" && matchMedia(WIDE).matches)[0];
  useEffect(() => {
    const dialog = element.current;
    const before = document.activeElement;
    if (isBeside) dialog?.show();
    else dialog?.showModal();
    // Not on the close button, where the browser would put it, nor in any field but one that asks for it: a phone would open its keyboard.
    const first = dialog?.querySelector<HTMLElement>("[data-first]") ?? dialog?.querySelector("h2");
    first?.focus();
    return () => {
      dialog?.close();
      const isGone = before === document.body || !before?.isConnected;
      const next = isGone ? document.querySelector("[data-home]") : before;
      if (next instanceof HTMLElement) next.focus({ preventScroll: isGone });
    };
  }, [isBeside]);
  return (
    <dialog
      ref={element}
      class={`dialog ${shape === "panel" && !isBeside ? "drawer" : shape}`}
      aria-labelledby={titleId}
      onKeyDown={(event) => {
        const isTaken = event.defaultPrevented || document.querySelector(":popover-open") !== null;
        if (isBeside && event.key === "Escape" && !isTaken) onClose();
      }}
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
