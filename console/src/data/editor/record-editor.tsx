import type { RefObject } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { IS_IN_WORKER } from "../../api/base.ts";
import { useOverview } from "../../api/use-overview.ts";
import { fieldOf, type Violation } from "../../api/violation.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { JsonInput } from "../../ui/json-input.tsx";
import { Problem } from "../../ui/notice.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { ViolationList } from "../../ui/violation-list.tsx";
import { ConflictDialog } from "./conflict-dialog.tsx";
import { FieldsForm } from "./fields-form.tsx";
import { focusField, partIds } from "./form-focus.ts";
import { isFillable } from "./plausible.ts";
import { inFormOrder } from "./record-form.ts";
import { type RecordEditorProps, useRecordForm } from "./use-record-form.ts";
import "./record-editor.css";

const MODES = [
  ["fields", "Fields"],
  ["json", "JSON"],
] as const;

/** Edits a record by its fields or as JSON. The input stays if the server rejects it. */
export function RecordEditor(props: RecordEditorProps) {
  const { name, isFixed = false } = props;
  const overview = useOverview();
  const isReadOnly = overview.readOnly || isFixed;
  const id = useId();
  const { form, base, isTouched, filled, refusal, conflict, isBusy, ...ways } = useRecordForm(props, id);
  const { save, fill, edit, remove } = ways;
  const editor = useFirstFocus();
  // A worker cannot make up records: the texts for them would be larger than the rest of it.
  const canFill =
    !IS_IN_WORKER &&
    !isReadOnly &&
    overview.members.some((member) => member.name === name && member.kind === "collection");
  const violations = refusal?.violations ?? [];
  const isMarked = violations.length > 0;
  const hasField = (violation: Violation): boolean =>
    form.mode === "fields" && form.drafts.some((draft) => draft.name === fieldOf(violation));
  // A single field says itself what is wrong with it.
  const isListed = isMarked && !(violations.length === 1 && violations.every(hasField));
  const linkFor = (violation: Violation): (() => void) | undefined =>
    hasField(violation) ? () => focusField(id, form, fieldOf(violation)) : undefined;
  return (
    <Form
      class="column editor"
      noValidate
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save();
      }}
      onSubmit={save}
    >
      <div class="cluster editor-head">
        <Tabs label="Edit as" tabs={MODES} chosen={form.mode} onChoose={ways.switchTo} />
        {canFill && form.mode === "fields" && form.drafts.some(isFillable) && (
          <Button look="small" icon="sparkle" isBusy={isBusy} onClick={() => fill()}>
            Fill with plausible data
          </Button>
        )}
      </div>
      <p class="filled hint" role="status">
        {filled}
      </p>
      {refusal && isListed && (
        <Problem refusal={refusal} id={partIds(id).summary}>
          <ViolationList violations={inFormOrder(refusal.violations, form)} linkFor={linkFor} />
        </Problem>
      )}
      {form.mode === "fields" ? (
        <div ref={editor}>
          <FieldsForm
            {...{ id, name, violations, isReadOnly }}
            drafts={form.drafts}
            isNew={!base}
            onFill={canFill ? (field) => void fill(field) : undefined}
            onChange={(drafts, field) => edit({ mode: "fields", drafts }, field)}
          />
        </div>
      ) : (
        <JsonInput
          isTall
          text={form.text}
          control={{
            id: partIds(id).json,
            "aria-label": "The record as JSON",
            "aria-invalid": isListed || undefined,
            "aria-describedby": isListed ? partIds(id).summary : undefined,
          }}
          isReadOnly={isReadOnly}
          onChange={(text) => edit({ mode: "json", text })}
        />
      )}
      {!isReadOnly && (
        <div class="cluster actions editor-actions">
          {refusal && !isMarked && <Problem refusal={refusal} />}
          {remove && (
            <Button look="danger-text" icon="trash" isBusy={isBusy} onClick={remove}>
              Delete
            </Button>
          )}
          <Button look="primary" isBusy={isBusy} isDisabled={base !== undefined && !isTouched}>
            {base ? "Save" : "Create"}
          </Button>
        </div>
      )}
      {conflict && base && (
        <ConflictDialog
          base={base.value}
          mine={ways.mine()}
          theirs={conflict.theirs}
          onClose={ways.close}
          onSaveOnTop={ways.saveOnTop}
          onTakeTheirs={ways.takeTheirs}
          onCreateAgain={ways.createAgain}
        />
      )}
    </Form>
  );
}

/** Moves the focus to the first field of a new record. */
function useFirstFocus(): RefObject<HTMLDivElement> {
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The dialog may have opened before the code of its form was here. On a phone, this would open the keyboard.
    if (matchMedia("(pointer: fine)").matches) form.current?.querySelector<HTMLElement>("[data-first]")?.focus();
  }, []);
  return form;
}
