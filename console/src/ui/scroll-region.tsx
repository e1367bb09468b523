import type { ComponentChildren } from "preact";

/** A scrollable area. Focusable, so that the keyboard can scroll it. */
export function ScrollRegion({ label, look, children }: { label: string; look: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <section class={look} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
