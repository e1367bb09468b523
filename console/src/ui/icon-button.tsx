import { Icon, type IconName } from "./icon.tsx";

interface IconButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly onClick: () => void;
  /** Ignores clicks, but keeps the focus: it may be at the end of what it steps through. */
  readonly isDisabled?: boolean;
}

/** A button that shows an icon alone; the label is for those who cannot see it. */
export function IconButton({ icon, label, onClick, isDisabled = false }: IconButtonProps) {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      aria-disabled={isDisabled || undefined}
      onClick={() => isDisabled || onClick()}
    >
      <Icon name={icon} />
    </button>
  );
}
