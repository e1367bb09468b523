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
  /** Ignores clicks and submits nothing for now, but keeps the focus, which a disabled button loses. */
  readonly isBusy?: boolean;
  /** Has the focus when the dialog or popover around it opens. */
  readonly isFirst?: boolean;
  /** Without it, the button submits its form. */
  readonly onClick?: () => unknown;
}

export function Button({ children, look = "", icon, label, isDisabled, isBusy, isFirst, onClick }: ButtonProps) {
  return (
    <button
      type={onClick ? "button" : "submit"}
      class={`button ${look}`.trim()}
      aria-label={label}
      disabled={isDisabled}
      aria-disabled={isBusy || undefined}
      data-first={isFirst}
      onClick={(event) => {
        if (isBusy) event.preventDefault();
        else void onClick?.();
      }}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}
