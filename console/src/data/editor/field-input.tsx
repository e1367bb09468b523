import type { ComponentType } from "preact";
import { useRef } from "preact/hooks";
import { JsonInput } from "../../ui/json-input.tsx";
import { type FieldDraft, isBlank, kindFor } from "./field-drafts.ts";
import type { FieldFacts } from "./field-facts.ts";
import { canShow, type InputKind, inputFor } from "./input-for.ts";
import { ChoiceInput } from "./inputs/choice-input.tsx";
import { ColourInput } from "./inputs/colour-input.tsx";
import { DateInput, DateTimeInput } from "./inputs/date-input.tsx";
import type { InputProps } from "./inputs/input-props.ts";
import { NumberInput } from "./inputs/number-input.tsx";
import { RelationInput } from "./inputs/relation-input.tsx";
import { RelationsInput } from "./inputs/relations-input.tsx";
import { SuggestionInput } from "./inputs/suggestion-input.tsx";
import { LineInput, TextInput } from "./inputs/text-input.tsx";
import { ToggleInput } from "./inputs/toggle-input.tsx";
import "./field-input.css";

const INPUTS: Readonly<Record<InputKind, ComponentType<InputProps>>> = {
  choice: ChoiceInput,
  suggestion: SuggestionInput,
  toggle: ToggleInput,
  null: NullInput,
  number: NumberInput,
  relation: RelationInput,
  relations: RelationsInput,
  date: DateInput,
  "date-time": DateTimeInput,
  colour: ColourInput,
  json: JsonField,
  line: LineInput,
  text: TextInput,
};

export interface FieldInputProps {
  /** Of the control. */
  readonly id: string;
  readonly draft: FieldDraft;
  readonly facts: FieldFacts;
  readonly isReadOnly?: boolean;
  /** Whether the field may be left empty to leave it out. */
  readonly isOmittable?: boolean;
  /** The ids of its help and its errors. */
  readonly describedBy?: string | undefined;
  readonly isInvalid?: boolean;
  /** Has the focus when the dialog around it opens. */
  readonly isFirst?: boolean;
  readonly onChange: (draft: FieldDraft) => void;
}

/** The control that fits a field. It helps, but refuses nothing: what is valid is for the server to say. */
export function FieldInput(props: FieldInputProps) {
  const { id, draft, facts, isReadOnly = false, isOmittable = false, describedBy, isInvalid = false, onChange } = props;
  const shown = useRef<InputKind>();
  const isNull = draft.kind === "null" && !isReadOnly && !facts.rule?.enum;
  const seen = isNull ? emptyDraft(draft, facts) : draft;
  const filled = useRef<string>();
  const isNewlyFilled = draft.isFilled === true && filled.current !== draft.text;
  filled.current = draft.isFilled ? draft.text : undefined;
  if (shown.current === undefined || isNewlyFilled || !canShow(shown.current, seen, facts)) {
    shown.current = inputFor(seen, facts);
  }
  const Input = INPUTS[shown.current];
  const control = {
    id,
    "aria-label": draft.name || "value",
    "aria-describedby": describedBy,
    "aria-invalid": isInvalid || undefined,
    "aria-required": facts.rule?.isRequired,
    "data-first": props.isFirst || undefined,
    placeholder: isNull ? "null" : undefined,
  };
  const change = (changed: FieldDraft): void => {
    onChange(changed.wasNull && isBlank(changed) ? { ...changed, kind: "null" } : changed);
  };
  return <Input {...{ draft: seen, facts, control, isReadOnly, isOmittable, isNull }} onChange={change} />;
}

/** A field that is null can be given a value at once, of the kind that the rules or its neighbours have. */
function emptyDraft(draft: FieldDraft, { rule, known }: FieldFacts): FieldDraft {
  return { ...draft, kind: kindFor(rule?.type ?? known?.types ?? []), text: "", wasNull: true };
}

function NullInput({ control }: InputProps) {
  return <input {...control} class="fixed mono" value="null" readOnly />;
}

function JsonField({ draft, control, isReadOnly, onChange }: InputProps) {
  return (
    <JsonInput
      text={draft.text}
      control={control}
      isReadOnly={isReadOnly}
      onChange={(text) => onChange({ ...draft, text })}
    />
  );
}
