import { useKnownOverview } from "../api/use-overview.ts";
import { Button } from "../ui/button.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Select } from "../ui/select.tsx";
import { useFocusAdded } from "../ui/use-focus-added.ts";
import { FIELD_TYPES, type SampleField, type SampleType } from "./collection-sample.ts";
import "./sample-fields.css";

interface SampleFieldsProps {
  readonly fields: readonly SampleField[];
  readonly onChange: (fields: readonly SampleField[]) => void;
}

const NEW_FIELD: SampleField = { name: "", type: "text", of: "" };
const TYPES = Object.entries(FIELD_TYPES) as [SampleType, string][];

/** The fields of the first records of a collection, each with its type. */
export function SampleFields({ fields, onChange }: SampleFieldsProps) {
  const members = useKnownOverview()?.members ?? [];
  const collections = members.filter(({ kind }) => kind === "collection").map(({ name }) => name);
  const set = (at: number, changed: Partial<SampleField>): void =>
    onChange(fields.map((field, place) => (place === at ? { ...field, ...changed } : field)));
  const list = useFocusAdded<HTMLFieldSetElement>(".sample-field", fields.length);
  const types = TYPES.filter(([type]) => type !== "reference" || collections.length > 0);
  return (
    <fieldset class="sample-fields" ref={list}>
      <legend>Fields of the first records</legend>
      {fields.map((field, at) => (
        <div key={at} class="row sample-field">
          <input
            aria-label={`Name of field ${at + 1}`}
            placeholder="price"
            required
            autocomplete="off"
            value={field.name}
            onInput={(event) => set(at, { name: event.currentTarget.value })}
          />
          <Select
            aria-label={`Type of field ${at + 1}`}
            value={field.type}
            options={types}
            onChoose={(type) => set(at, { type, of: type === "reference" ? (collections[0] ?? "") : "" })}
          />
          {field.type === "choice" && (
            <input
              aria-label={`Values of field ${at + 1}`}
              placeholder="open, paid, sent"
              required
              autocomplete="off"
              value={field.of}
              onInput={(event) => set(at, { of: event.currentTarget.value })}
            />
          )}
          {field.type === "reference" && (
            <Select
              aria-label={`Collection of field ${at + 1}`}
              value={field.of}
              options={collections}
              onChoose={(of) => set(at, { of })}
            />
          )}
          <IconButton icon="trash" label={`Remove field ${at + 1}`} onClick={() => onChange(fields.toSpliced(at, 1))} />
        </div>
      ))}
      <Button look="small at-start" icon="plus" onClick={() => onChange([...fields, NEW_FIELD])}>
        Add a field
      </Button>
    </fieldset>
  );
}
