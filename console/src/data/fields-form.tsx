import { useId } from "preact/hooks";
import { formatName } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { FIELD_KINDS, type FieldDraft, type FieldKind, inKind } from "./field-drafts.ts";

/** Detecting the direction of a megabyte of text blocks a browser for a minute. */
const LONG_TEXT = 10_000;

interface FieldsFormProps {
  readonly drafts: readonly FieldDraft[];
  readonly isReadOnly: boolean;
  readonly isNew: boolean;
  readonly onChange: (drafts: readonly FieldDraft[]) => void;
}

export function FieldsForm({ drafts, isReadOnly, isNew, onChange }: FieldsFormProps) {
  return (
    <div class="fields">
      {drafts.length === 0 && <p class="hint">No fields yet.</p>}
      {drafts.map((draft, index) => (
        <FieldRow
          key={index}
          draft={draft}
          isReadOnly={isReadOnly}
          onChange={(changed) => onChange(drafts.with(index, changed))}
          onRemove={() => onChange(drafts.toSpliced(index, 1))}
        />
      ))}
      {isNew && drafts.length > 0 && <p class="hint">Empty fields are omitted; the id is assigned.</p>}
      {!isReadOnly && (
        <button
          type="button"
          class="button small"
          onClick={() => onChange([...drafts, { name: "", kind: "text", text: "", isAdded: true }])}
        >
          <Icon name="plus" />
          Field
        </button>
      )}
    </div>
  );
}

interface FieldRowProps {
  readonly draft: FieldDraft;
  readonly isReadOnly: boolean;
  readonly onChange: (draft: FieldDraft) => void;
  readonly onRemove: () => void;
}

function FieldRow({ draft, isReadOnly, onChange, onRemove }: FieldRowProps) {
  const id = useId();
  const { name, kind } = draft;
  return (
    <div class="field-row">
      <div class="field-head">
        {draft.isAdded ? (
          <input
            class="field-name mono"
            aria-label="Name of the field"
            placeholder="name"
            value={name}
            readOnly={isReadOnly}
            onInput={(event) => onChange({ ...draft, name: event.currentTarget.value })}
          />
        ) : (
          <label class="field-name mono cut" for={id}>
            {formatName(name)}
          </label>
        )}
        <select
          aria-label={`Kind of ${name || "the new field"}`}
          value={kind}
          disabled={isReadOnly}
          onChange={(event) => onChange(inKind(draft, event.currentTarget.value as FieldKind))}
        >
          {FIELD_KINDS.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
        {!isReadOnly && (
          <button type="button" class="icon-button" aria-label={`Remove ${name || "the field"}`} onClick={onRemove}>
            <Icon name="close" />
          </button>
        )}
      </div>
      <FieldInput id={id} draft={draft} isReadOnly={isReadOnly} onInput={(text) => onChange({ ...draft, text })} />
    </div>
  );
}

interface FieldInputProps {
  readonly id: string;
  readonly draft: FieldDraft;
  readonly isReadOnly: boolean;
  readonly onInput: (text: string) => void;
}

function FieldInput({ id, draft: { name, kind, text }, isReadOnly, onInput }: FieldInputProps) {
  const common = { id, "aria-label": name || "value" };
  if (kind === "null") return <input {...common} value="null" disabled />;
  if (kind === "boolean") {
    return (
      <select {...common} value={text} disabled={isReadOnly} onChange={(event) => onInput(event.currentTarget.value)}>
        {text === "" && <option value="">(left out)</option>}
        <option value="true">true</option>
        <option value="false">false</option>
      </select>
    );
  }
  const shared = {
    ...common,
    value: text,
    readOnly: isReadOnly,
    dir: text.length < LONG_TEXT ? ("auto" as const) : ("ltr" as const),
    spellcheck: false,
    onInput: (event: { currentTarget: { value: string } }) => onInput(event.currentTarget.value),
  };
  if (kind === "number") return <input {...shared} inputMode="decimal" />;
  return <textarea {...shared} class={kind === "json" ? "mono" : ""} rows={kind === "json" ? 4 : 1} />;
}
