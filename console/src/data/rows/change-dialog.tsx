import { useId, useState } from "preact/hooks";
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
import type { Column } from "../table/columns.ts";
import { changePicked } from "./bulk.ts";
import { type BulkDialogProps, explained, HowItGoes, Refused, useSafety } from "./bulk-safety.tsx";
import { computePicked } from "./compute.ts";
import { ExpressionField } from "./expression-field.tsx";
import { countSelected } from "./selection.ts";
import { ValueInput } from "./value-input.tsx";

/** The name that stands for a field that no record has yet; no field can be called so. */
const NEW = "";

type Way = "value" | "expression" | "removal";

/** Sets one field of all picked records, computes it, or takes it away. */
export function ChangeDialog(props: BulkDialogProps & { readonly columns: readonly Column[] }) {
  const { picked, columns, onClose, onDone } = props;
  const fields = columns.filter(({ name }) => name !== picked.idKey);
  const [isNew, setNew] = useState(fields.length === 0);
  const [draft, setDraft] = useState(() => draftFor(fields, fields[0]?.name ?? NEW));
  const [way, setWay] = useState<Way>("value");
  const [expression, setExpression] = useState("");
  const { refusal, setRefusal, isBusy, attempt } = useAttempt((thrown) => explained(thrown, picked.collection));
  const safety = useSafety(picked, way === "expression");
  const count = countSelected(picked.selection, picked.total);
  const edit = (changed: FieldDraft): void => {
    setDraft(changed);
    setRefusal(undefined);
  };
  const change = { field: draft.name, value: way === "removal" ? undefined : valueIn(draft) };
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
      const isComputed = way === "expression";
      const changed = await (isComputed
        ? computePicked(picked, { field: draft.name, expression })
        : changePicked(picked, change));
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
            options={isNew ? WAYS.filter(([value]) => value !== "removal") : WAYS}
            onChoose={(chosen) => {
              const isWay = chosen === "expression" || chosen === "removal";
              setWay(isWay ? chosen : "value");
              edit(isWay ? draft : inKind(draft, chosen));
            }}
          />
        </Labelled>
        {way === "value" && <NewValue {...{ picked, draft, isBusy }} onChange={edit} />}
        {way === "expression" && (
          <ExpressionField
            picked={picked}
            change={{ field: draft.name, expression }}
            onInput={(text) => {
              setExpression(text);
              setRefusal(undefined);
            }}
          />
        )}
        <HowItGoes {...{ picked, change, safety }} isComputed={way === "expression"} />
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
  ["expression", "Compute"],
  ["removal", "Remove the field"],
];

const UNCHANGED: Readonly<Record<Way, string>> = {
  value: "All of them have this value already.",
  expression: "All of them have this value already.",
  removal: "None of them has this field.",
};

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
