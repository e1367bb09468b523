import { useId } from "preact/hooks";
import type { Pair } from "../api/parameters.ts";
import { Button } from "../ui/button.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { useFocusAdded } from "../ui/use-focus-added.ts";

interface PairsInputProps {
  readonly title: string;
  /** The singular, such as "header". */
  readonly one: string;
  readonly pairs: readonly Pair[];
  /** Known names, with the values to choose from. */
  readonly known?: readonly { readonly name: string; readonly values: readonly string[] }[];
  readonly onChange: (pairs: readonly Pair[]) => void;
}

/** Edits a list of name and value pairs. */
export function PairsInput({ title, one, pairs, known = [], onChange }: PairsInputProps) {
  const id = useId();
  const list = useFocusAdded<HTMLFieldSetElement>(".pair", pairs.length);
  return (
    <fieldset class="pairs" ref={list}>
      <legend>{title}</legend>
      <Suggestions id={id} values={known.map(({ name }) => name)} />
      {pairs.map(([name, value], index) => (
        <div class="pair" key={index}>
          <input
            class="mono"
            aria-label={`Name of ${one} ${index + 1}`}
            placeholder="name"
            list={id}
            spellcheck={false}
            value={name}
            onInput={(event) => onChange(pairs.with(index, [event.currentTarget.value, value]))}
          />
          <input
            class="mono"
            aria-label={`Value of ${one} ${index + 1}`}
            placeholder="value"
            list={`${id}-${index}`}
            spellcheck={false}
            value={value}
            onInput={(event) => onChange(pairs.with(index, [name, event.currentTarget.value]))}
          />
          <Suggestions id={`${id}-${index}`} values={known.find((other) => other.name === name)?.values ?? []} />
          <IconButton
            icon="close"
            label={`Remove ${one} ${index + 1}`}
            onClick={() => onChange(pairs.toSpliced(index, 1))}
          />
        </div>
      ))}
      {pairs.some(([name, value]) => name === "" && value !== "") && (
        <p class="hint" role="status">
          A {one} without a name is not sent.
        </p>
      )}
      <Button look="small" icon="plus" onClick={() => onChange([...pairs, ["", ""]])}>
        Add a {one}
      </Button>
    </fieldset>
  );
}

function Suggestions({ id, values }: { id: string; values: readonly string[] }) {
  return (
    <datalist id={id}>
      {[...new Set(values)].map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  );
}
