import { useEffect, useMemo, useState } from "preact/hooks";
import type { JsonObject } from "../../api/json.ts";
import { idKeyOf } from "../../api/overview.ts";
import { asRefusal, Refusal } from "../../api/refusal.ts";
import { useEvent } from "../../api/use-event.ts";
import { useOverview } from "../../api/use-overview.ts";
import { expectRulesKept } from "../../records/broken-rules.ts";
import { Conflict, type ReadRecord } from "../../records/conflict.ts";
import { changeRequest, mergeOnto } from "../../records/record-diff.ts";
import { changeRecord, removeRecord } from "../../records/writes.ts";
import { unsaved } from "../../routes/unsaved.ts";
import { plural } from "../../ui/format.ts";
import { useAttempt } from "../../ui/use-attempt.ts";
import type { FormProblem } from "./field-drafts.ts";
import { focusFirstMarked } from "./form-focus.ts";
import { draftFor, fillIn, knownFields } from "./plausible.ts";
import { formOf, newForm, type RecordForm, readForm, switchMode, withValues } from "./record-form.ts";

export interface RecordEditorProps {
  /** Of the collection or singleton. */
  readonly name: string;
  /** Undefined: the record is yet to be created. */
  readonly path: string | undefined;
  readonly record: ReadRecord | undefined;
  /** Values that a new record begins with. */
  readonly preset?: JsonObject | undefined;
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

/** The input of a record editor, and everything that can be done with it. `id` begins the ids of its controls. */
export function useRecordForm(props: RecordEditorProps, id: string) {
  const { name, path, record, onDirty, onSaved, onReread, onCreate, onGone } = props;
  const overview = useOverview();
  const idKey = idKeyOf(overview, name);
  const ruled = overview.recordRules?.[name]?.fields ?? [];
  const begin = useEvent((read: ReadRecord | undefined) =>
    read
      ? formOf(read.value, idKey, "fields", ruled)
      : withValues(newForm(overview.fields[name] ?? [], idKey, ruled), props.preset),
  );
  const untouched = useMemo(() => begin(record), [begin, record]);
  const [form, setForm] = useState<RecordForm>(untouched);
  const [base, setBase] = useState(record);
  const [isTouched, setTouched] = useState(false);
  const [filled, setFilled] = useState("");
  const { refusal, setRefusal, isBusy, conflict, setConflict, attempt, refuse } = useWrites(id, form);
  const tellDirty = useEvent(onDirty);
  useEffect(() => tellDirty(isTouched), [tellDirty, isTouched]);
  useEffect(() => () => unsaved.set(false), []);

  /** Marks stay until their field is edited; in the JSON, until it is sent again. */
  const edit = (changed: RecordForm, field?: string): void => {
    setForm(changed);
    setTouched(true);
    unsaved.set(true);
    setRefusal((known) => (field === undefined && known?.violations.length ? known : known?.without(field ?? "")));
  };
  const clean = (): void => {
    unsaved.set(false);
    setTouched(false);
    onDirty(false);
  };
  const typed = (): JsonObject => {
    const read = readForm(form, idKey, base?.value);
    if (read.kind === "problem") throw notYet("Not saved yet", read);
    expectRulesKept(overview, name, read.value, base?.value);
    return read.value;
  };
  const change = async (from: ReadRecord, to: JsonObject): Promise<void> => {
    const request = changeRequest(from.value, to);
    if (request) await changeRecord(path as string, from, request.method, request.body);
    clean();
    onSaved();
  };
  const save = (): Promise<void> =>
    attempt(async () => {
      if (path !== undefined && base) return change(base, typed());
      await onCreate(typed());
      clean();
    });
  const saveOnTop = (theirs: ReadRecord): Promise<void> =>
    attempt(async () => {
      const merged = mergeOnto(theirs.value, base?.value ?? {}, typed());
      setConflict(undefined);
      setBase(theirs);
      await change(theirs, merged);
    });
  const takeTheirs = (): void => {
    clean();
    onReread();
  };
  const createAgain = (): Promise<void> => {
    setConflict(undefined);
    return attempt(() => onCreate(typed()));
  };
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
    if ("problem" in switched) refuse(notYet("Not valid yet", switched));
    else setForm(switched);
  };
  /** Undefined where there is nothing to remove. */
  const remove = onGone && path !== undefined && base && (() => attempt(() => removeRecord(path, base).then(onGone)));
  const mine = () => readForm(form, idKey, base?.value);
  const close = (): void => setConflict(undefined);
  const ways = { save, saveOnTop, takeTheirs, createAgain, fill, switchTo, remove, edit, mine, close };
  return { form, base, isTouched, filled, refusal, conflict, isBusy, ...ways };
}

/** Writes one at a time. A conflict is shown in its own dialog; any other refusal moves the focus to what it marks. */
function useWrites(id: string, form: RecordForm) {
  const [conflict, setConflict] = useState<Conflict>();
  /** Increases with every refusal, so that each one moves the focus. */
  const [refusals, setRefusals] = useState(0);
  const counted = (thrown: unknown): Refusal => {
    setRefusals((count) => count + 1);
    return asRefusal(thrown);
  };
  const { refusal, setRefusal, isBusy, attempt: attemptOnce } = useAttempt(counted);
  const focusMarked = useEvent(() => {
    if (refusal && refusal.violations.length > 0) focusFirstMarked(id, form, refusal);
  });
  useEffect(() => focusMarked(), [focusMarked, refusals]);
  const attempt = (work: () => Promise<void>): Promise<void> =>
    attemptOnce(async () => {
      try {
        await work();
      } catch (thrown) {
        if (!(thrown instanceof Conflict)) throw thrown;
        setConflict(thrown);
      }
    });
  const refuse = (thrown: Refusal): void => setRefusal(counted(thrown));
  return { refusal, setRefusal, isBusy, conflict, setConflict, attempt, refuse };
}

function notYet(title: string, { problem, violations }: FormProblem): Refusal {
  return new Refusal(0, "", title, problem, violations);
}
