import type { Pair } from "../api/parameters.ts";
import { Button } from "../ui/button.tsx";
import { IconButton } from "../ui/icon-button.tsx";

interface PairsInputProps {
  readonly title: string;
  /** The singular, such as "header". */
  readonly one: string;
  readonly pairs: readonly Pair[];
  readonly onChange: (pairs: readonly Pair[]) => void;
}

/** Edits a list of name and value pairs. */
export function PairsInput({ title, one, pairs, onChange }: PairsInputProps) {
  return (
    <fieldset class="pairs">
      <legend>{title}</legend>
      {pairs.map(([name, value], index) => (
        <div class="pair" key={index}>
          <input
            class="mono"
            aria-label={`Name of ${one} ${index + 1}`}
            placeholder="name"
            spellcheck={false}
            value={name}
            onInput={(event) => onChange(pairs.with(index, [event.currentTarget.value, value]))}
          />
          <input
            class="mono"
            aria-label={`Value of ${one} ${index + 1}`}
            placeholder="value"
            spellcheck={false}
            value={value}
            onInput={(event) => onChange(pairs.with(index, [name, event.currentTarget.value]))}
          />
          <IconButton
            icon="close"
            label={`Remove ${one} ${index + 1}`}
            onClick={() => onChange(pairs.toSpliced(index, 1))}
          />
        </div>
      ))}
      <Button look="small" icon="plus" onClick={() => onChange([...pairs, ["", ""]])}>
        Add a {one}
      </Button>
    </fieldset>
  );
}
