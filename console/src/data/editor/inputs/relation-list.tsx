import type { RefObject } from "preact";
import { Icon } from "../../../ui/icon.tsx";
import type { RelationOption } from "./relation-options.ts";

interface RelationListProps {
  readonly to: string;
  readonly options: readonly RelationOption[];
  readonly active: number;
  readonly chosen: string;
  readonly note: string;
  readonly listId: string;
  readonly boxRef: RefObject<HTMLDivElement>;
  readonly onPick: (option: RelationOption) => void;
}

/** The records to choose from, below their field. */
export function RelationList({ to, options, active, chosen, note, listId, boxRef, onPick }: RelationListProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only keeps the focus in the field
    <div ref={boxRef} class="options" popover="manual" onMouseDown={(event) => event.preventDefault()}>
      <div id={listId} role="listbox" aria-label={`Records of ${to}`}>
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
          <div
            key={option.id}
            id={`${listId}-${index}`}
            role="option"
            class="row option"
            aria-selected={index === active}
            onClick={() => onPick(option)}
          >
            <span class="mono">{option.id}</span>
            {option.label !== undefined && <span class="cut">{option.label}</span>}
            {option.id === chosen && <Icon name="check" />}
          </div>
        ))}
      </div>
      <p class="options-note" role="status">
        {note}
      </p>
    </div>
  );
}
