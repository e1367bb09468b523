import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useOverview } from "../../api/use-overview.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { Labelled } from "../../ui/labelled.tsx";
import { useValidity } from "../../ui/use-validity.ts";
import { type Condition, factsOf as factsOfOperator, isList } from "../condition.ts";
import { factsOf } from "../editor/field-facts.ts";
import type { ListQuery } from "../list-query.ts";
import { type Choice, choiceOf, choicesFor, menuWords } from "../operators.ts";
import type { FieldKind, KnownField } from "../table/columns.ts";
import { DatePresets } from "./date-presets.tsx";
import { FieldPicker } from "./field-picker.tsx";
import { hasChoices, kindOf, newCondition } from "./meaning.ts";
import { misfit } from "./typed-filters.ts";
import { RecordTicks, ValueTicks } from "./value-ticks.tsx";
import "./filters.css";

export interface ConditionFormProps {
  readonly collection: string;
  readonly condition: Condition;
  readonly fields: readonly KnownField[];
  /** The other conditions of the list. */
  readonly query: ListQuery;
  /** Begins with the field then, else with the value. */
  readonly isNew: boolean;
  readonly onChange: (condition: Condition) => void;
  readonly onDone: () => void;
}

/** Field, operator, value. Every change takes effect at once. */
export function ConditionForm(props: ConditionFormProps) {
  const overview = useOverview();
  const { collection, condition, fields, isNew, onChange, onDone } = props;
  const { path, value } = condition;
  const form = useRef<HTMLDivElement>(null);
  const [round, setRound] = useState(0);
  const kind = kindOf(fields, path);
  const isTicked = hasChoices(overview, collection, path);
  const chosen = choiceOf(condition, kind);
  const offered = inOrder(choicesFor(kind), isTicked);
  const choices = offered.includes(chosen) ? offered : [...offered, chosen];
  useLayoutEffect(() => {
    // Its code may come after the popover has opened.
    form.current?.querySelector<HTMLElement>("[data-first]")?.focus();
  }, [round]);
  const choose = (choice: Choice): void => {
    // A value that was chosen rather than typed fits no other operator.
    const kept = chosen.value === undefined ? value : "";
    onChange({ ...condition, operator: choice.operator, value: choice.value ?? kept });
  };
  const choosePath = (next: string): void => {
    const field = fields.find(({ name }) => name === next);
    const isAlike = kindOf(fields, next) === kind && isTicked === hasChoices(overview, collection, next);
    if (isAlike && !isTicked) onChange({ ...condition, path: next });
    else if (field) onChange(newCondition(overview, collection, field));
    setRound(round + 1);
  };
  const isFieldFirst = isNew && round === 0;
  return (
    <div ref={form}>
      <Form class="condition-form" onSubmit={() => onDone()}>
        <Labelled label="Field">
          {(id) => <FieldPicker {...{ id, path, fields }} startsOpen={isFieldFirst} onPick={choosePath} />}
        </Labelled>
        {!isFieldFirst && (
          <>
            <Labelled label="Operator">
              <select
                data-first={chosen.value !== undefined || undefined}
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
            {chosen.value === undefined && <ValuePart key={path} {...props} kind={kind} />}
            <Button look="small">Done</Button>
          </>
        )}
      </Form>
    </div>
  );
}

/** The value as its meaning asks for it: ticks, a search for records, days, or a text. */
function ValuePart({ collection, condition, query, kind, onChange }: ConditionFormProps & { kind: FieldKind }) {
  const overview = useOverview();
  const { path, operator, value } = condition;
  const { reference } = factsOf(overview, collection, path);
  const setValue = (next: string): void => onChange({ ...condition, value: next });
  const doubt = (factsOfOperator(operator).fits !== "text" && misfit({ name: path, kind }, value)) || "";
  const input = useValidity(doubt);
  if (isList(operator) && reference) return <RecordTicks {...{ reference, value }} isFirst onChange={setValue} />;
  if (isList(operator) && hasChoices(overview, collection, path)) {
    return <ValueTicks {...{ collection, path, query, value }} isFirst onChange={setValue} />;
  }
  return (
    <>
      {(kind === "date" || kind === "date-time") && !isList(operator) && (
        <DatePresets onPick={(from) => onChange({ ...condition, operator: "gte", value: from })} />
      )}
      <Labelled label={isList(operator) ? "Values" : "Value"}>
        {(id) => (
          <>
            <input
              ref={input}
              id={id}
              data-first
              required
              {...inputFor(kind, condition)}
              aria-describedby={`${id}-doubt`}
              value={value}
              spellcheck={false}
              autocomplete="off"
              onInput={(event) => setValue(event.currentTarget.value)}
            />
            <p id={`${id}-doubt`} class="field-errors" role="status">
              {doubt}
            </p>
            {isList(operator) && <p class="hint">Separated by commas; write \, for a comma in a value.</p>}
          </>
        )}
      </Labelled>
    </>
  );
}

/** Of a field with few values, one of them is meant most often. */
function inOrder(choices: readonly Choice[], isTicked: boolean): readonly Choice[] {
  if (!isTicked) return choices;
  const rank = ({ operator }: Choice): number => Number(!isList(operator));
  return choices.toSorted((a, b) => rank(a) - rank(b));
}

/** The input that fits a field, unless the value does not fit the input. */
function inputFor(
  kind: FieldKind,
  { operator, value }: Condition,
): { type: string; placeholder?: string; inputMode?: "decimal" } {
  if (isList(operator)) return { type: "text", placeholder: "one, two" };
  // A field for numbers alone would drop what it cannot read, without a word.
  if (kind === "number") return { type: "text", inputMode: "decimal" };
  const isDated = kind === "date" || kind === "date-time";
  if (isDated && /^(\d{4}-\d\d-\d\d)?$/.test(value)) return { type: "date" };
  if (isDated) return { type: "text", placeholder: "2026-01-31T12:00" };
  return { type: "text", placeholder: factsOfOperator(operator).placeholder };
}
