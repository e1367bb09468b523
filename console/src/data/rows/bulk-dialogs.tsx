import { useId, useState } from "preact/hooks";
import { ask } from "../../api/ask.ts";
import { asRefusal, Refusal } from "../../api/refusal.ts";
import { useOverview } from "../../api/use-overview.ts";
import { MAX_REQUESTS } from "../../records/batch.ts";
import { Conflict } from "../../records/conflict.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form } from "../../ui/form.tsx";
import { capitalise, formatName, plural } from "../../ui/format.ts";
import { Labelled } from "../../ui/labelled.tsx";
import { Problem } from "../../ui/notice.tsx";
import { Select } from "../../ui/select.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { ViolationList } from "../../ui/violation-list.tsx";
import {
  FIELD_KINDS,
  type FieldDraft,
  type FieldKind,
  inKind,
  kindFor,
  problemIn,
  valueIn,
} from "../editor/field-drafts.ts";
import type { Column } from "../table/columns.ts";
import { changePicked, fitsBatch, matchingRequests, type Picked, removePicked } from "./bulk.ts";
import type { FieldChange } from "./bulk-requests.ts";
import { countSelected } from "./selection.ts";
import { ValueInput } from "./value-input.tsx";

/** Of a path that is shown. */
const LONGEST_PATH = 200;

interface BulkDialogProps {
  readonly picked: Picked;
  readonly onClose: () => void;
  /** It was written. */
  readonly onDone: () => void;
}

/** Sets one field of all picked records, or takes it away. */
export function ChangeDialog(props: BulkDialogProps & { readonly columns: readonly Column[] }) {
  const overview = useOverview();
  const { picked, columns, onClose, onDone } = props;
  const fields = columns.filter(({ name }) => name !== picked.idKey);
  const id = useId();
  const draftFor = (name: string): FieldDraft => {
    const kind = kindFor(fields.find((field) => field.name === name)?.types ?? []);
    return { name, kind, text: kind === "boolean" ? "true" : "" };
  };
  const [draft, setDraft] = useState(() => draftFor(fields[0]?.name ?? ""));
  const [isRemoved, setRemoved] = useState(false);
  const { refusal, setRefusal, isBusy, attempt } = useAttempt((thrown) => explained(thrown, picked.collection));
  const safety = useSafety(picked);
  const count = countSelected(picked.selection, picked.total);
  const edit = (changed: FieldDraft): void => {
    setDraft(changed);
    setRefusal(undefined);
  };
  const change: FieldChange = { field: draft.name, value: isRemoved ? undefined : valueIn(draft) };
  const save = (): Promise<void> =>
    attempt(async () => {
      const problem = isRemoved ? undefined : problemIn([draft]);
      if (problem) throw new Refusal(0, "", "Not saved yet", capitalise(problem.problem));
      await safety.save();
      const changed = await changePicked(picked, change);
      if (changed > 0) return onDone();
      const words = isRemoved ? "None of them has this field." : "All of them have this value already.";
      throw new Refusal(0, "", "Nothing to change", words);
    });
  const isRuled = overview.recordRules?.[picked.collection]?.fields.some(
    ({ name, enum: list }) => name === draft.name && list,
  );
  return (
    <Dialog title={`Edit ${plural(count, "record")}`} shape="box" onClose={onClose}>
      <Form class="stack" noValidate onSubmit={() => save()}>
        <Labelled label="Field">
          <Select
            data-first
            value={draft.name}
            options={fields.map(({ name }) => [name, formatName(name)] as const)}
            onChoose={(chosen) => edit(draftFor(chosen))}
          />
        </Labelled>
        <Labelled label="Change">
          <select
            value={isRemoved ? "remove" : draft.kind}
            onChange={({ currentTarget: { value } }) => {
              setRemoved(value === "remove");
              edit(value === "remove" ? draft : inKind(draft, value as FieldKind));
            }}
          >
            {FIELD_KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {KIND_WORDS[kind]}
              </option>
            ))}
            <option value="remove">Remove the field</option>
          </select>
        </Labelled>
        {!isRemoved && (draft.kind !== "null" || isRuled) && (
          <div class="field">
            <label for={id}>{formatName(draft.name)}</label>
            <ValueInput
              id={id}
              collection={picked.collection}
              draft={draft}
              describedBy={undefined}
              isReadOnly={isBusy}
              onChange={edit}
            />
          </div>
        )}
        <HowItGoes picked={picked} change={change} safety={safety} />
        <Refused refusal={refusal} />
        <div class="cluster actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" isDisabled={isBusy}>
            Change {plural(count, "record")}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

const KIND_WORDS: Readonly<Record<FieldKind, string>> = {
  text: "Set to a text",
  number: "Set to a number",
  boolean: "Set to true or false",
  null: "Set to null",
  json: "Set to JSON",
};

/** Removes all picked records, after a question. */
export function RemoveDialog({ picked, onClose, onDone }: BulkDialogProps) {
  const safety = useSafety(picked);
  const { refusal, isBusy, attempt } = useAttempt((thrown) => explained(thrown, picked.collection));
  const words = plural(countSelected(picked.selection, picked.total), "record");
  const remove = (): Promise<void> =>
    attempt(async () => {
      await safety.save();
      await removePicked(picked);
      onDone();
    });
  return (
    <Dialog title={`Delete ${words}?`} shape="box" onClose={onClose}>
      <HowItGoes picked={picked} change={undefined} safety={safety} />
      <Refused refusal={refusal} />
      <div class="cluster actions">
        <Button isFirst onClick={onClose}>
          Cancel
        </Button>
        <Button look="danger" isDisabled={isBusy} onClick={() => remove()}>
          Delete {words}
        </Button>
      </div>
    </Dialog>
  );
}

interface HowItGoesProps {
  readonly picked: Picked;
  readonly change: FieldChange | undefined;
  readonly safety: Safety;
}

/** Says what is sent, and whether it can be undone. */
function HowItGoes({ picked, change, safety }: HowItGoesProps) {
  const { history } = useOverview();
  if (history || fitsBatch(picked)) {
    return <p class="hint">All of them in one change, or none. You can undo it in one step.</p>;
  }
  const [first, ...others] = matchingRequests(picked, change);
  const { method = "", path = "" } = first ?? {};
  return (
    <div class="notice-box">
      <p>
        A batch can name {plural(MAX_REQUESTS, "record")}, so these are chosen by a filter. They change together or not
        at all, and <strong>it cannot be undone here</strong>.
        {!safety.isOffered && " Save a snapshot first if you may need the old data."}
      </p>
      <code>
        {method} {path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path}
        {others.length > 0 && `, and ${others.length} more in one batch`}
      </code>
      {safety.isOffered && (
        <label class="check">
          <input
            type="checkbox"
            checked={safety.isWanted}
            onChange={(event) => safety.want(event.currentTarget.checked)}
          />
          Save a snapshot first
        </label>
      )}
    </div>
  );
}

/** A snapshot before a change that has no way back. */
interface Safety {
  readonly isOffered: boolean;
  readonly isWanted: boolean;
  readonly want: (isWanted: boolean) => void;
  readonly save: () => Promise<void>;
}

function useSafety(picked: Picked): Safety {
  const { snapshots, history } = useOverview();
  const [isWanted, want] = useState(true);
  const isOffered = snapshots && !history && !fitsBatch(picked);
  const save = async (): Promise<void> => {
    if (isOffered && isWanted) await ask("POST", "/__snapshots__", { body: { name: "before-bulk-change" } });
  };
  return { isOffered, isWanted, want, save };
}

function Refused({ refusal }: { refusal: Refusal | undefined }) {
  if (!refusal) return null;
  return (
    <Problem refusal={refusal}>
      <p>{refusal.message}</p>
      {refusal.violations.length > 0 && <ViolationList violations={refusal.violations} showsValues />}
    </Problem>
  );
}

function explained(thrown: unknown, collection: string): Refusal {
  if (thrown instanceof Conflict) {
    return new Refusal(412, "", "Nothing was changed", `Records of ${collection} have just changed. Try again.`);
  }
  const { status, code, title, message, violations } = asRefusal(thrown);
  if (status === 412) {
    return new Refusal(status, code, "Nothing was changed", "One of the records has just changed. Try again.");
  }
  return new Refusal(status, code, status === 0 ? title : `Nothing was changed: ${title}`, message, violations);
}
