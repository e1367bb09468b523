import { Icon } from "./icon.tsx";

interface SearchBoxProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** Has the focus when the popover around it opens. */
  readonly isFirst?: boolean;
  /** Enter, or the focus goes elsewhere. */
  readonly onSettle?: () => void;
}

/** A search field with its label as the placeholder. */
export function SearchBox({ label, value, onInput, isFirst = false, onSettle }: SearchBoxProps) {
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
        onKeyDown={({ key }) => key === "Enter" && onSettle?.()}
        onBlur={onSettle}
      />
    </div>
  );
}
