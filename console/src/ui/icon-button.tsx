import { Icon, type IconName } from "./icon.tsx";

/** A button that shows an icon alone; the label is for those who cannot see it. */
export function IconButton({ icon, label, onClick }: { icon: IconName; label: string; onClick: () => void }) {
  return (
    <button type="button" class="icon-button" aria-label={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}
