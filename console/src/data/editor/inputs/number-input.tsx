import { Icon } from "../../../ui/icon.tsx";
import { stepped } from "../values/step.ts";
import type { InputProps } from "./input-props.ts";

const STEPS: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 };

/**
 * A number as it is typed, with buttons and arrow keys that step. A text field: one for numbers would drop what it cannot
 * read, and the person would not see what is wrong.
 */
export function NumberInput({ draft, facts, control, isReadOnly, onChange }: InputProps) {
  const move = (steps: number): void => {
    const text = stepped(draft.text, steps, facts);
    if (text !== undefined && text !== draft.text) onChange({ ...draft, text });
  };
  return (
    <span class="number-input">
      <input
        {...control}
        inputMode="decimal"
        autocomplete="off"
        spellcheck={false}
        readOnly={isReadOnly}
        value={draft.text}
        onInput={(event) => onChange({ ...draft, text: event.currentTarget.value })}
        onKeyDown={(event) => {
          const steps = STEPS[event.key];
          if (steps === undefined || isReadOnly) return;
          event.preventDefault();
          move(steps);
        }}
      />
      {!isReadOnly && (
        // The arrow keys do the same: the buttons would only make the way through the form longer.
        <span class="stepper" aria-hidden="true">
          <button type="button" tabIndex={-1} onClick={() => move(-1)}>
            <Icon name="minus" />
          </button>
          <button type="button" tabIndex={-1} onClick={() => move(1)}>
            <Icon name="plus" />
          </button>
        </span>
      )}
    </span>
  );
}
