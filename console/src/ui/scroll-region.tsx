import type { ComponentChildren } from "preact";

/** Something that may be larger than its place. It can have the focus, so that it can be scrolled with the keyboard. */
export function ScrollRegion({ label, look, children }: { label: string; look: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <section class={look} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
