import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface LabelledProps {
  readonly label: string;
  /** The class: `field` for one above the other, `inline-field` for side by side. */
  readonly look?: string;
  /** Gets the id that its control must have. */
  readonly children: (id: string) => ComponentChildren;
}

/** A control and its label, side by side or one above the other. */
export function Labelled({ label, look = "field", children }: LabelledProps) {
  const id = useId();
  return (
    <div class={look}>
      <label for={id}>{label}</label>
      {children(id)}
    </div>
  );
}
