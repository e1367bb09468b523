import { idKeyOf, type Overview, type RuledField } from "../../api/overview.ts";
import { fieldOf, pathInField, type Violation } from "../../api/violation.ts";
import { capitalise, formatName, plural } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";
import { linksIn, parentOf } from "../relations.ts";
import { FIELD_KINDS, type FieldDraft, type FieldKind, inKind } from "./field-drafts.ts";
import { helpFor } from "./field-help.ts";
import { FieldInput } from "./field-input.tsx";
import { partIds } from "./form-focus.ts";
import type { Reference } from "./reference-options.tsx";

interface FieldsFormProps {
  /** Begins the ids of the controls. */
  readonly id: string;
  readonly overview: Overview;
  /** Of the collection or singleton. */
  readonly name: string;
  readonly drafts: readonly FieldDraft[];
  readonly violations: readonly Violation[];
  readonly isNew: boolean;
  /** With the name of the field that was edited. */
  readonly onChange: (drafts: readonly FieldDraft[], field: string) => void;
}

export function FieldsForm({ id, overview, name, drafts, violations, isNew, onChange }: FieldsFormProps) {
  const { readOnly, recordRules } = overview;
  const rules = new Map(recordRules?.[name]?.fields.map((rule) => [rule.name, rule]));
  const rowAt = (index: number) => {
    const draft = drafts[index] as FieldDraft;
    const to = parentOf(linksIn(overview), name, draft.name);
    return (
      <FieldRow
        key={index}
        id={partIds(id).field(index)}
        draft={draft}
        rule={rules.get(draft.name)}
        reference={to === undefined ? undefined : { to, idKey: idKeyOf(overview, to) }}
        violations={violations.filter((violation) => fieldOf(violation) === draft.name)}
        isReadOnly={readOnly}
        isOmittable={isNew || draft.isSpare === true}
        onChange={(changed) => onChange(drafts.with(index, changed), draft.name)}
        onRemove={() => onChange(drafts.toSpliced(index, 1), draft.name)}
      />
    );
  };
  const places = [...drafts.keys()];
  const spare = places.filter((index) => drafts[index]?.isSpare);
  const isMarked = (index: number): boolean => violations.some((one) => fieldOf(one) === drafts[index]?.name);
  return (
    <div class="fields">
      {drafts.length === 0 && <p class="hint">No fields yet.</p>}
      {places.filter((index) => !drafts[index]?.isSpare).map(rowAt)}
      {!readOnly && spare.length > 0 && (
        <details class="spare-fields" open={spare.some(isMarked)}>
          <summary>{plural(spare.length, "more field")} in the rules</summary>
          <div class="fields">{spare.map(rowAt)}</div>
        </details>
      )}
      {isNew && drafts.length > 0 && <p class="hint">Empty fields are omitted; the id is assigned.</p>}
      {!readOnly && (
        <button
          type="button"
          class="button small"
          onClick={() => onChange([...drafts, { name: "", kind: "text", text: "", isAdded: true }], "")}
        >
          <Icon name="plus" />
          Field
        </button>
      )}
    </div>
  );
}

interface FieldRowProps {
  readonly id: string;
  readonly draft: FieldDraft;
  readonly rule: RuledField | undefined;
  readonly reference: Reference | undefined;
  readonly violations: readonly Violation[];
  readonly isReadOnly: boolean;
  readonly isOmittable: boolean;
  readonly onChange: (draft: FieldDraft) => void;
  readonly onRemove: () => void;
}

function FieldRow(props: FieldRowProps) {
  const { id, draft, rule, reference, violations, isReadOnly, isOmittable, onChange, onRemove } = props;
  const { name, kind } = draft;
  const help = rule ? helpFor(rule) : "";
  const isInvalid = violations.length > 0;
  const described = [isInvalid && `${id}-error`, help !== "" && `${id}-help`].filter((part) => part !== false);
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
            {rule?.isRequired && <span class="required">required</span>}
          </label>
        )}
        {!rule?.enum && (
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
        )}
        {!isReadOnly && !draft.isSpare && (
          <button type="button" class="icon-button" aria-label={`Remove ${name || "the field"}`} onClick={onRemove}>
            <Icon name="close" />
          </button>
        )}
      </div>
      <FieldInput
        id={id}
        draft={draft}
        rule={rule}
        reference={reference}
        isReadOnly={isReadOnly}
        isOmittable={isOmittable}
        describedBy={described.length > 0 ? described.join(" ") : undefined}
        isInvalid={isInvalid}
        onChange={onChange}
      />
      {isInvalid && (
        <ul id={`${id}-error`} class="field-errors">
          {violations.map((violation, index) => {
            const path = pathInField(violation);
            return (
              <li key={index}>
                {path === ""
                  ? capitalise(violation.message)
                  : [<code key="path">{path}</code>, ` ${violation.message}`]}
              </li>
            );
          })}
        </ul>
      )}
      {help !== "" && (
        <p id={`${id}-help`} class="field-help">
          {help}
        </p>
      )}
    </div>
  );
}
