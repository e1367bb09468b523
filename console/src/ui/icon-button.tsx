import { Icon, type IconName } from "./icon.tsx";

interface IconButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly onClick: () => void;
  readonly isDisabled?: boolean;
}

/** A button that shows an icon alone; the label is for those who cannot see it. */
export function IconButton({ icon, label, onClick, isDisabled = false }: IconButtonProps) {
  return (
    <button type="button" class="icon-button" aria-label={label} disabled={isDisabled} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}
