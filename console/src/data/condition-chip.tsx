import { Button } from "../ui/button.tsx";
import { Form } from "../ui/form.tsx";
import { formatName } from "../ui/format.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { Labelled } from "../ui/labelled.tsx";
import { Popover } from "../ui/popover.tsx";
import { type Condition, factsOf, isList } from "./condition.ts";
import { type Choice, choiceOf, choicesFor, conditionText, menuWords } from "./operators.ts";
import type { FieldKind, KnownField } from "./table/columns.ts";

interface ConditionChipProps {
  readonly condition: Condition;
  readonly fields: readonly KnownField[];
  readonly startsOpen: boolean;
  readonly onChange: (condition: Condition) => void;
  readonly onRemove: () => void;
  readonly onClose: () => void;
}

/** A condition in a few words; they open the form that changes it. */
export function ConditionChip(props: ConditionChipProps) {
  const { condition, fields, startsOpen, onChange, onRemove, onClose } = props;
  const text = conditionText(condition, kindOf(fields, condition.path));
  return (
    <span class="chip">
      <Popover label="Condition" look="chip-text cut" button={text} startsOpen={startsOpen} onClose={onClose}>
        {(close) => (
          <ConditionForm condition={condition} fields={fields} isNew={startsOpen} onChange={onChange} onDone={close} />
        )}
      </Popover>
      <IconButton icon="close" label={`Remove: ${text}`} onClick={onRemove} />
    </span>
  );
}

interface ConditionFormProps {
  readonly condition: Condition;
  readonly fields: readonly KnownField[];
  /** Begins with the field then, else with the value. */
  readonly isNew: boolean;
  readonly onChange: (condition: Condition) => void;
  readonly onDone: () => void;
}

/** Field, operator, value. Every change takes effect at once. */
function ConditionForm({ condition, fields, isNew, onChange, onDone }: ConditionFormProps) {
  const { path, operator, value } = condition;
  const kind = kindOf(fields, path);
  const chosen = choiceOf(condition, kind);
  const offered = choicesFor(kind);
  const choices = offered.includes(chosen) ? offered : [...offered, chosen];
  const isFieldFirst = isNew || chosen.value !== undefined;
  const choose = (choice: Choice, changed: Partial<Condition> = {}): void => {
    // A value that was chosen rather than typed fits no other operator.
    const kept = chosen.value === undefined ? value : "";
    onChange({ ...condition, operator: choice.operator, value: choice.value ?? kept, ...changed });
  };
  const choosePath = (next: string): void => {
    const nextKind = kindOf(fields, next);
    if (nextKind === kind) onChange({ ...condition, path: next });
    else choose(choicesFor(nextKind)[0] as Choice, { path: next });
  };
  return (
    <Form class="condition-form" onSubmit={() => onDone()}>
      <Labelled label="Field">
        <select
          data-first={isFieldFirst || undefined}
          value={path}
          onChange={(event) => choosePath(event.currentTarget.value)}
        >
          {!fields.some(({ name }) => name === path) && <option value={path}>{path}</option>}
          {fields.map(({ name }) => (
            <option key={name} value={name}>
              {formatName(name)}
            </option>
          ))}
        </select>
      </Labelled>
      <Labelled label="Operator">
        <select
          value={choices.indexOf(chosen)}
          onChange={(event) => choose(choices[Number(event.currentTarget.value)] as Choice)}
        >
          {choices.map((choice, at) => (
            <option key={menuWords(choice)} value={at}>
              {menuWords(choice)}
            </option>
          ))}
        </select>
      </Labelled>
      {chosen.value === undefined && (
        <Labelled label={isList(operator) ? "Values" : "Value"}>
          {(id) => (
            <>
              <input
                id={id}
                data-first={!isFieldFirst || undefined}
                {...inputFor(kind, condition)}
                value={value}
                spellcheck={false}
                autocomplete="off"
                onInput={(event) => onChange({ ...condition, value: event.currentTarget.value })}
              />
              {isList(operator) && <p class="hint">Separated by commas; write \, for a comma in a value.</p>}
            </>
          )}
        </Labelled>
      )}
      <Button look="small">Done</Button>
    </Form>
  );
}

/** The input that fits a field, unless the value does not fit the input. */
function inputFor(
  kind: FieldKind,
  { operator, value }: Condition,
): { type: string; placeholder?: string; step?: string } {
  if (isList(operator)) return { type: "text", placeholder: "one, two" };
  if (kind === "number" && (value === "" || Number.isFinite(Number(value)))) return { type: "number", step: "any" };
  if (kind === "date" && /^(\d{4}-\d\d-\d\d)?$/.test(value)) return { type: "date" };
  if (kind === "date-time") return { type: "text", placeholder: "2026-01-31T12:00" };
  return { type: "text", placeholder: factsOf(operator).placeholder };
}

function kindOf(fields: readonly KnownField[], path: string): FieldKind {
  return fields.find(({ name }) => name === path)?.kind ?? "text";
}
