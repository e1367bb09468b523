import { isColour, sixDigits } from "../values/colour.ts";
import type { InputProps } from "./input-props.ts";

/** A colour such as `#4f46e5`, to pick or to type. */
export function ColourInput({ draft, facts, control, isReadOnly, onChange }: InputProps) {
  const change = (text: string): void => onChange({ ...draft, text });
  const palette = facts.known?.values?.filter(isColour) ?? [];
  return (
    <span class="colour-input">
      <input
        type="color"
        // A colour can be typed, too: the way through the form stays short.
        tabIndex={-1}
        class={isColour(draft.text) ? "" : "unset"}
        aria-label={`Pick ${control["aria-label"]}`}
        list={palette.length > 0 ? `${control.id}-palette` : undefined}
        disabled={isReadOnly}
        value={sixDigits(draft.text)}
        onInput={(event) => change(event.currentTarget.value)}
      />
      <input
        {...control}
        class="mono"
        autocomplete="off"
        spellcheck={false}
        placeholder="#rrggbb"
        readOnly={isReadOnly}
        value={draft.text}
        onInput={(event) => change(event.currentTarget.value)}
      />
      {palette.length > 0 && (
        <datalist id={`${control.id}-palette`}>
          {palette.map((colour) => (
            <option key={colour} value={sixDigits(colour)} />
          ))}
        </datalist>
      )}
    </span>
  );
}
