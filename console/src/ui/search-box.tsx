import { Icon } from "./icon.tsx";

interface SearchBoxProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

/** A search field with its label as the placeholder. */
export function SearchBox({ label, value, onInput }: SearchBoxProps) {
  return (
    <div class="search">
      <Icon name="search" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  );
}
