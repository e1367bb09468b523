import { Icon } from "./icon.tsx";

interface SearchBoxProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** Has the focus when the popover around it opens. */
  readonly isFirst?: boolean;
}

/** A search field with its label as the placeholder. */
export function SearchBox({ label, value, onInput, isFirst = false }: SearchBoxProps) {
  return (
    <div class="search">
      <Icon name="search" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        data-first={isFirst ? "" : undefined}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  );
}
