import { useEffect, useState } from "preact/hooks";
import { useOverview } from "../../api/use-overview.ts";
import { fieldOf, type Violation } from "../../api/violation.ts";
import { plural } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";
import { type FieldDraft, isBlank } from "./field-drafts.ts";
import { factsOf } from "./field-facts.ts";
import { FieldRow } from "./field-row.tsx";
import { namePartId, partIds } from "./form-focus.ts";

interface FieldsFormProps {
  /** Begins the ids of the controls. */
  readonly id: string;
  /** Of the collection or singleton. */
  readonly name: string;
  readonly drafts: readonly FieldDraft[];
  readonly violations: readonly Violation[];
  readonly isNew: boolean;
  readonly isReadOnly: boolean;
  /** Fills one field with plausible data. Undefined where nothing can. */
  readonly onFill: ((field: string) => void) | undefined;
  /** With the name of the field that was edited. */
  readonly onChange: (drafts: readonly FieldDraft[], field: string) => void;
}

export function FieldsForm({ id, name, drafts, violations, isNew, isReadOnly, onFill, onChange }: FieldsFormProps) {
  const overview = useOverview();
  const [toFocus, setToFocus] = useState<string>();
  // The control that had the focus may be gone, and the next one is there only now.
  useEffect(() => {
    if (toFocus !== undefined) document.getElementById(toFocus)?.focus();
    setToFocus(undefined);
  }, [toFocus]);
  const { field: fieldId, add } = partIds(id);
  // Values that came along need no typing.
  const first = drafts.findIndex((draft) => isBlank(draft));
  const rowAt = (index: number) => {
    const draft = drafts[index] as FieldDraft;
    const change = (changed: FieldDraft): void =>
      onChange(drafts.with(index, { ...changed, isFilled: false }), draft.name);
    return (
      <FieldRow
        key={draft.isAdded ? index : `field ${draft.name}`}
        id={fieldId(index)}
        draft={draft}
        facts={factsOf(overview, name, draft.name)}
        violations={violations.filter((violation) => fieldOf(violation) === draft.name)}
        isReadOnly={isReadOnly}
        isFirst={isNew && index === first}
        isOmittable={isNew || draft.isSpare === true}
        onFill={onFill && (() => onFill(draft.name))}
        onChange={change}
        onRework={(changed) => {
          change({ ...changed, innerProblem: undefined });
          setToFocus(fieldId(index));
        }}
        onRemove={() => {
          onChange(drafts.toSpliced(index, 1), draft.name);
          setToFocus(index < drafts.length - 1 ? fieldId(index) : add);
        }}
      />
    );
  };
  const places = [...drafts.keys()];
  const spare = places.filter((index) => drafts[index]?.isSpare);
  const isMarked = (index: number): boolean => violations.some((one) => fieldOf(one) === drafts[index]?.name);
  const isUsed = (index: number): boolean => !isBlank(drafts[index] as FieldDraft);
  return (
    <div class="fields">
      {drafts.length === 0 && <p class="hint">No fields yet.</p>}
      {places.filter((index) => !drafts[index]?.isSpare).map(rowAt)}
      {!isReadOnly && spare.length > 0 && (
        <details class="spare-fields" open={spare.some((index) => isMarked(index) || isUsed(index))}>
          <summary>{plural(spare.length, "more field")} in the rules</summary>
          <div class="fields">{spare.map(rowAt)}</div>
        </details>
      )}
      {!isReadOnly && (
        <div class="cluster fields-foot">
          <button
            type="button"
            id={add}
            class="button small"
            onClick={() => {
              onChange([...drafts, { name: "", kind: "text", text: "", isAdded: true }], "");
              setToFocus(namePartId(fieldId(drafts.length)));
            }}
          >
            <Icon name="plus" />
            Add field
          </button>
          {drafts.length > 0 && (
            <p class="hint">
              {isNew && "Empty fields are omitted; the id is assigned. "}
              <span class="wide-only">
                <kbd>Alt Enter</kbd> opens the options of a field.
              </span>
            </p>
          )}
        </div>
      )}
    </div>
  );
}
