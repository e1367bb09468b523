import { useEffect, useId, useMemo, useState } from "preact/hooks";
import type { JsonObject } from "../../api/json.ts";
import { idKeyOf } from "../../api/overview.ts";
import { asRefusal, Refusal } from "../../api/refusal.ts";
import { useOverview } from "../../api/use-overview.ts";
import { fieldOf, type Violation } from "../../api/violation.ts";
import { changeRequest, mergeOnto } from "../../records/record-diff.ts";
import { Conflict, changeRecord, type ReadRecord, removeRecord } from "../../records/writes.ts";
import { unsaved } from "../../routes/unsaved.ts";
import { plural } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";
import { Problem } from "../../ui/notice.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { ViolationList } from "../../ui/violation-list.tsx";
import { ConflictDialog } from "./conflict-dialog.tsx";
import type { FormProblem } from "./field-drafts.ts";
import { FieldsForm } from "./fields-form.tsx";
import { focusField, focusFirstMarked, partIds } from "./form-focus.ts";
import { JsonInput } from "./inputs/json-input.tsx";
import { draftFor, fillIn, isFillable, knownFields } from "./plausible.ts";
import { formOf, inFormOrder, newForm, type RecordForm, readForm, switchMode } from "./record-form.ts";
import "../../styles/editor.css";

const MODES = [
  ["fields", "Fields"],
  ["json", "JSON"],
] as const;

export interface RecordEditorProps {
  /** Of the collection or singleton. */
  readonly name: string;
  /** Undefined: the record is yet to be created. */
  readonly path: string | undefined;
  readonly record: ReadRecord | undefined;
  /** Whether it can only be read, even where others can be written. */
  readonly isFixed?: boolean;
  readonly onDirty: (isDirty: boolean) => void;
  /** It was written. */
  readonly onSaved: () => void;
  /** Reload the record and discard the input. */
  readonly onReread: () => void;
  readonly onCreate: (value: JsonObject) => Promise<void>;
  /** It was deleted. Undefined where that cannot be. */
  readonly onGone?: () => void;
}

/** Edits a record by its fields or as JSON. The input stays if the server rejects it. */
export function RecordEditor(props: RecordEditorProps) {
  const overview = useOverview();
  const { name, path, record, isFixed = false, onDirty, onSaved, onReread, onCreate, onGone } = props;
  const isReadOnly = overview.readOnly || isFixed;
  const idKey = idKeyOf(overview, name);
  const ruled = overview.recordRules?.[name]?.fields ?? [];
  const untouched = useMemo(
    () => (record ? formOf(record.value, idKey, "fields", ruled) : newForm(overview.fields[name] ?? [], idKey, ruled)),
    [record],
  );
  const id = useId();
  const [form, setForm] = useState<RecordForm>(untouched);
  const [base, setBase] = useState(record);
  const [isTouched, setTouched] = useState(false);
  /** Increases with every refusal, so that each one moves the focus. */
  const [refusals, setRefusals] = useState(0);
  const counted = (thrown: unknown): Refusal => {
    setRefusals((count) => count + 1);
    return asRefusal(thrown);
  };
  const { refusal, setRefusal, isBusy, attempt: attemptOnce } = useAttempt(counted);
  const [conflict, setConflict] = useState<Conflict>();
  const [filled, setFilled] = useState("");
  const canFill =
    !isReadOnly && overview.members.some((member) => member.name === name && member.kind === "collection");
  useEffect(() => onDirty(isTouched), [isTouched]);
  useEffect(() => () => unsaved.set(false), []);

  useEffect(() => {
    if (refusal && refusal.violations.length > 0) focusFirstMarked(id, form, refusal);
  }, [refusals]);

  /** Marks stay until their field is edited; in the JSON, until it is sent again. */
  const edit = (changed: RecordForm, field?: string): void => {
    setForm(changed);
    setTouched(true);
    unsaved.set(true);
    setRefusal((known) => (field === undefined && known?.violations.length ? known : known?.without(field ?? "")));
  };
  /** A conflict is shown in its own dialog. */
  const attempt = (work: () => Promise<void>): Promise<void> =>
    attemptOnce(async () => {
      try {
        await work();
      } catch (thrown) {
        if (!(thrown instanceof Conflict)) throw thrown;
        setConflict(thrown);
      }
    });
  const clean = (): void => {
    unsaved.set(false);
    setTouched(false);
    onDirty(false);
  };
  const typed = (): JsonObject => {
    const read = readForm(form, idKey, base?.value);
    if (read.kind === "problem") throw notYet("Not saved yet", read);
    return read.value;
  };
  const save = (): Promise<void> =>
    attempt(async () => {
      if (path === undefined || !base) {
        await onCreate(typed());
        return clean();
      }
      const request = changeRequest(base.value, typed());
      if (request) await changeRecord(path, base, request.method, request.body);
      clean();
      onSaved();
    });
  const saveOnTop = (theirs: ReadRecord): Promise<void> =>
    attempt(async () => {
      const merged = mergeOnto(theirs.value, base?.value ?? {}, typed());
      const request = changeRequest(theirs.value, merged);
      setConflict(undefined);
      setBase(theirs);
      if (request) await changeRecord(path as string, theirs, request.method, request.body);
      clean();
      onSaved();
    });

  const fill = (only?: string): Promise<void> =>
    attempt(async () => {
      if (form.mode !== "fields") return;
      const made = await draftFor(name, knownFields(form.drafts, only));
      const drafts = fillIn(form.drafts, made, only);
      const count = drafts.filter((draft, at) => draft !== form.drafts[at]).length;
      if (count > 0) edit({ mode: "fields", drafts }, only ?? "");
      setFilled(count === 0 ? "Nothing to fill in." : `Filled ${plural(count, "field")}. Fill again for other values.`);
    });

  const switchTo = (mode: RecordForm["mode"]): void => {
    if (mode === form.mode) return;
    const switched = switchMode(form, idKey, base?.value, { ruled, untouched });
    if ("problem" in switched) setRefusal(counted(notYet("Not valid yet", switched)));
    else setForm(switched);
  };
  const violations = refusal?.violations ?? [];
  const isMarked = violations.length > 0;
  const hasField = (violation: Violation): boolean =>
    form.mode === "fields" && form.drafts.some((draft) => draft.name === fieldOf(violation));
  // A single field says itself what is wrong with it.
  const isListed = isMarked && !(violations.length === 1 && violations.every(hasField));
  const linkFor = (violation: Violation): (() => void) | undefined => {
    return hasField(violation) ? () => focusField(id, form, fieldOf(violation)) : undefined;
  };
  return (
    <form
      class="editor"
      noValidate
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div class="editor-head">
        <Tabs label="Edit as" tabs={MODES} chosen={form.mode} onChoose={switchTo} />
        {canFill && form.mode === "fields" && form.drafts.some(isFillable) && (
          <button type="button" class="button small" disabled={isBusy} onClick={() => void fill()}>
            <Icon name="sparkle" />
            Fill with plausible data
          </button>
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
        <FieldsForm
          id={id}
          name={name}
          drafts={form.drafts}
          violations={violations}
          isNew={!base}
          isReadOnly={isReadOnly}
          onFill={canFill ? (field) => void fill(field) : undefined}
          onChange={(drafts, field) => edit({ mode: "fields", drafts }, field)}
        />
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
        <div class="actions editor-actions">
          {refusal && !isMarked && <Problem refusal={refusal} />}
          {onGone && path !== undefined && base && (
            <button
              type="button"
              class="button danger-text"
              disabled={isBusy}
              onClick={() => void attempt(() => removeRecord(path, base).then(onGone))}
            >
              <Icon name="trash" />
              Delete
            </button>
          )}
          <button type="submit" class="button primary" disabled={isBusy || (base !== undefined && !isTouched)}>
            {base ? "Save" : "Create"}
          </button>
        </div>
      )}
      {conflict && base && (
        <ConflictDialog
          base={base.value}
          mine={readForm(form, idKey, base.value)}
          theirs={conflict.theirs}
          onClose={() => setConflict(undefined)}
          onSaveOnTop={saveOnTop}
          onTakeTheirs={() => {
            clean();
            onReread();
          }}
          onCreateAgain={() => {
            setConflict(undefined);
            void attempt(() => onCreate(typed()));
          }}
        />
      )}
    </form>
  );
}

function notYet(title: string, { problem, violations }: FormProblem): Refusal {
  return new Refusal(0, "", title, problem, violations);
}
