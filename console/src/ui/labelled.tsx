import { cloneElement, type VNode } from "preact";
import { useId } from "preact/hooks";

interface LabelledProps {
  readonly label: string;
  /** The class: `field` for one above the other, `inline-field` for side by side. */
  readonly look?: string;
  /** The control, or what makes it of the id that it must have. */
  readonly children: VNode<{ id?: string }> | ((id: string) => VNode);
}

/** A control and its label. */
export function Labelled({ label, look = "field", children }: LabelledProps) {
  const id = useId();
  return (
    <div class={look}>
      <label for={id}>{label}</label>
      {typeof children === "function" ? children(id) : cloneElement(children, { id })}
    </div>
  );
}
