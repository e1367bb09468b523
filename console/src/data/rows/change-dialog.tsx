import { useId, useState } from "preact/hooks";
import type { JsonObject } from "../../api/json.ts";
import { Refusal } from "../../api/refusal.ts";
import { useOverview } from "../../api/use-overview.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form } from "../../ui/form.tsx";
import { capitalise, formatName, plural } from "../../ui/format.ts";
import { Labelled } from "../../ui/labelled.tsx";
import { Select } from "../../ui/select.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import {
  FIELD_KINDS,
  type FieldDraft,
  type FieldKind,
  inKind,
  kindFor,
  problemIn,
  valueIn,
} from "../editor/field-drafts.ts";
import { draftFor as draftRecord } from "../editor/plausible.ts";
import type { Column } from "../table/columns.ts";
import { changeEach, changePicked, fitsBatch, type Picked } from "./bulk.ts";
import { type BulkDialogProps, explained, HowItGoes, Refused, useSafety } from "./bulk-safety.tsx";
import { increaseBy } from "./increase.ts";
import { countSelected } from "./selection.ts";
import { ValueInput } from "./value-input.tsx";

/** The name that stands for a field that no record has yet; no field can be called so. */
const NEW = "";

type Way = "value" | "increase" | "fill" | "removal";

/** Sets one field of all picked records, increases it, fills it with plausible values, or takes it away. */
export function ChangeDialog(props: BulkDialogProps & { readonly columns: readonly Column[] }) {
  const { picked, columns, onClose, onDone } = props;
  const fields = columns.filter(({ name }) => name !== picked.idKey);
  const [isNew, setNew] = useState(fields.length === 0);
  const [draft, setDraft] = useState(() => draftFor(fields, fields[0]?.name ?? NEW));
  const [way, setWay] = useState<Way>("value");
  const [amount, setAmount] = useState("");
  const { refusal, setRefusal, isBusy, attempt } = useAttempt((thrown) => explained(thrown, picked.collection));
  const safety = useSafety(picked);
  const count = countSelected(picked.selection, picked.total);
  const edit = (changed: FieldDraft): void => {
    setDraft(changed);
    setRefusal(undefined);
  };
  const change = { field: draft.name, value: way === "removal" ? undefined : valueIn(draft) };
  const write = (): Promise<number> => {
    const { name } = draft;
    if (way === "fill") return changeEach(picked, name, (record) => plausible(picked, record, name));
    if (way !== "increase") return changePicked(picked, change);
    const increased = increaseBy(amount);
    if (!increased) throw new Refusal(0, "", "Not saved yet", "The amount must be a number or a percentage.");
    return changeEach(picked, name, ({ [name]: value }) => (typeof value === "number" ? increased(value) : undefined));
  };
  const save = (): Promise<void> =>
    attempt(async () => {
      const problem = problemIn([{ ...(way === "value" ? draft : { ...draft, kind: "text" }), isAdded: true }]);
      if (problem) throw new Refusal(0, "", "Not saved yet", capitalise(problem.problem));
      if (isNew && columns.some(({ name }) => name === draft.name)) {
        throw new Refusal(
          0,
          "",
          "Not saved yet",
          `There is a field ${draft.name} already. Choose it above to change it.`,
        );
      }
      await safety.save();
      const changed = await write();
      if (changed > 0) return onDone();
      throw new Refusal(0, "", "Nothing to change", UNCHANGED[way]);
    });
  return (
    <Dialog title={`Edit ${plural(count, "record")}`} shape="box" onClose={onClose}>
      <Form class="stack" noValidate onSubmit={() => save()}>
        <Labelled label="Field">
          <Select
            data-first
            value={isNew ? NEW : draft.name}
            options={[...fields.map(({ name }) => [name, formatName(name)] as const), [NEW, "New field…"] as const]}
            onChoose={(chosen) => {
              setNew(chosen === NEW);
              edit(draftFor(fields, chosen));
            }}
          />
        </Labelled>
        {isNew && <NewName name={draft.name} onName={(name) => edit({ ...draft, name })} />}
        <Labelled label="Change">
          <Select
            value={way === "value" ? draft.kind : way}
            options={WAYS.filter(([chosen]) => isPossible(chosen, picked, isNew))}
            onChoose={(chosen) => {
              const isWay = chosen === "increase" || chosen === "fill" || chosen === "removal";
              setWay(isWay ? chosen : "value");
              edit(isWay ? draft : inKind(draft, chosen));
            }}
          />
        </Labelled>
        {way === "value" && <NewValue {...{ picked, draft, isBusy }} onChange={edit} />}
        {way === "increase" && (
          <Labelled label="Amount">
            <input
              value={amount}
              placeholder="5, -2.5 or 10%"
              autocomplete="off"
              onInput={({ currentTarget }) => {
                setAmount(currentTarget.value);
                setRefusal(undefined);
              }}
            />
          </Labelled>
        )}
        <HowItGoes {...{ picked, change, safety }} />
        <Refused refusal={refusal} />
        <div class="cluster actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" isBusy={isBusy}>
            Change {plural(count, "record")}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

const SET_TO: Readonly<Record<FieldKind, string>> = {
  text: "Set to a text",
  number: "Set to a number",
  boolean: "Set to true or false",
  null: "Set to null",
  json: "Set to JSON",
};

const WAYS: readonly (readonly [FieldKind | Exclude<Way, "value">, string])[] = [
  ...FIELD_KINDS.map((kind) => [kind, SET_TO[kind]] as const),
  ["increase", "Increase by"],
  ["fill", "Fill with plausible data"],
  ["removal", "Remove the field"],
];

const UNCHANGED: Readonly<Record<Way, string>> = {
  value: "All of them have this value already.",
  increase: "None of them has a number there that would change.",
  fill: "Nothing is known about this field.",
  removal: "None of them has this field.",
};

/** Values that differ between the records need a request for each. */
function isPossible(way: FieldKind | Way, picked: Picked, isNew: boolean): boolean {
  if (way === "increase" || way === "fill") return fitsBatch(picked) && !(isNew && way === "increase");
  return way !== "removal" || !isNew;
}

/** A value for a field of a record that fits its other fields. */
async function plausible({ collection, idKey }: Picked, record: JsonObject, field: string) {
  const { [idKey]: _id, [field]: _value, ...others } = record;
  const made = await draftRecord(collection, others);
  return made[field];
}

function draftFor(fields: readonly Column[], name: string): FieldDraft {
  const kind = kindFor(fields.find((field) => field.name === name)?.types ?? []);
  return { name, kind, text: kind === "boolean" ? "true" : "" };
}

function NewName({ name, onName }: { name: string; onName: (name: string) => void }) {
  return (
    <Labelled label="Name of the new field">
      <input value={name} autocomplete="off" onInput={({ currentTarget }) => onName(currentTarget.value)} />
    </Labelled>
  );
}

interface NewValueProps extends Pick<BulkDialogProps, "picked"> {
  readonly draft: FieldDraft;
  readonly isBusy: boolean;
  readonly onChange: (draft: FieldDraft) => void;
}

function NewValue({ picked: { collection }, draft, isBusy, onChange }: NewValueProps) {
  const overview = useOverview();
  const id = useId();
  const isRuled = overview.recordRules?.[collection]?.fields.some(
    ({ name, enum: list }) => name === draft.name && list,
  );
  if (draft.kind === "null" && !isRuled) return null;
  return (
    <div class="field">
      <label for={id}>{draft.name === NEW ? "Value" : formatName(draft.name)}</label>
      <ValueInput {...{ id, collection, draft, onChange }} describedBy={undefined} isReadOnly={isBusy} />
    </div>
  );
}
