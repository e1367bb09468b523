import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./icon.tsx";

interface ButtonProps {
  readonly children: ComponentChildren;
  /** Any of `primary`, `danger`, `danger-text` and `small`. */
  readonly look?: string;
  readonly icon?: IconName;
  /** For those who do not see what the button belongs to. */
  readonly label?: string | undefined;
  readonly isDisabled?: boolean;
  /** Has the focus when the dialog or popover around it opens. */
  readonly isFirst?: boolean;
  /** Without it, the button submits its form. */
  readonly onClick?: () => unknown;
}

export function Button({ children, look = "", icon, label, isDisabled, isFirst, onClick }: ButtonProps) {
  return (
    <button
      type={onClick ? "button" : "submit"}
      class={`button ${look}`.trim()}
      aria-label={label}
      disabled={isDisabled}
      data-first={isFirst}
      onClick={onClick && (() => void onClick())}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}
