import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { moveWithinWindow } from "./within-window.ts";

interface PopoverProps {
  /** Names the popover. */
  readonly label: string;
  /** The class of the button that opens it. */
  readonly look: string;
  /** The name of the button, if its content is an icon. */
  readonly buttonLabel?: string;
  readonly role?: "dialog" | "menu";
  readonly button: ComponentChildren;
  readonly isDisabled?: boolean;
  /** Whether the Tab key stops at the button; not where arrow keys lead to it. */
  readonly isTabStop?: boolean;
  readonly startsOpen?: boolean;
  readonly onClose?: () => void;
  readonly children: (close: () => void) => ComponentChildren;
}

/** Between the button and what it opens. */
const GAP = 4;

/**
 * A button and what it opens beneath itself. The browser closes it with Escape or a click elsewhere, and gives the focus
 * back. Its content exists only while it is open.
 */
export function Popover(props: PopoverProps) {
  const {
    label,
    look,
    buttonLabel,
    role = "dialog",
    button,
    isDisabled = false,
    isTabStop = true,
    startsOpen = false,
    onClose,
    children,
  } = props;
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => {
    if (startsOpen) box.current?.showPopover();
  }, [startsOpen]);
  useLayoutEffect(() => {
    if (!isOpen) return;
    // The content may be there before the browser shows the box, which has no size until then.
    const place = (): void => {
      if (!box.current || !opener.current) return;
      const { left, bottom } = opener.current.getBoundingClientRect();
      moveWithinWindow(box.current, left, bottom + GAP);
    };
    // Parts of the content may be loaded later, and need more room.
    const grown = new ResizeObserver(() => requestAnimationFrame(place));
    const frame = requestAnimationFrame(() => {
      place();
      if (!box.current) return;
      const first = box.current.querySelector<HTMLElement>("[data-first]");
      (first ?? box.current.querySelector<HTMLElement>("button, a[href]"))?.focus();
      grown.observe(box.current);
    });
    return () => {
      cancelAnimationFrame(frame);
      grown.disconnect();
    };
  }, [isOpen]);
  return (
    <>
      <button
        type="button"
        ref={opener}
        class={look}
        aria-label={buttonLabel}
        aria-haspopup={role}
        disabled={isDisabled}
        tabIndex={isTabStop ? undefined : -1}
        popovertarget={id}
      >
        {button}
      </button>
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: a dialog and a menu both have a name */}
      <div
        id={id}
        ref={box}
        class="popover"
        popover="auto"
        role={role}
        aria-label={label}
        onBeforeToggle={(event) => {
          if (event.newState === "open") setOpen(true);
        }}
        onToggle={(event) => {
          if (event.newState === "open") return;
          setOpen(false);
          onClose?.();
        }}
      >
        {isOpen && children(() => box.current?.hidePopover())}
      </div>
    </>
  );
}
