import { useEffect, useState } from "preact/hooks";
import { isJsonObject, type Json, parseJson } from "../../api/json.ts";
import { Button } from "../../ui/button.tsx";
import { formatName } from "../../ui/format.ts";
import { draftsOf, type FieldDraft, problemIn, recordOf } from "./field-drafts.ts";
import { FieldInput, type FieldInputProps } from "./field-input.tsx";
import { TagsInput } from "./inputs/tags-input.tsx";

type Shape = "fields" | "tags" | "json";

/** More fields than this are easier to read as JSON. */
const MOST_FIELDS = 20;
const LONGEST_TAG = 60;

/** An object as a form of its own, a list of short texts as chips, anything else as JSON. */
export function StructuredInput(props: FieldInputProps) {
  const { draft, id, isReadOnly = false, describedBy, onChange } = props;
  // The control stays while the person types.
  const [chosen, setShape] = useState<Shape>(() => shapeOf(parseJson(draft.text)));
  const isEmpty = draft.text === "";
  useEffect(() => {
    if (isEmpty) setShape("json");
  }, [isEmpty]);
  const shape = isEmpty ? "json" : chosen;
  const best = shapeOf(parseJson(draft.text));
  const other = shape === "json" ? best : "json";
  const show = (): void => {
    setShape(other);
    if (draft.innerProblem !== undefined) onChange({ ...draft, innerProblem: undefined });
  };
  return (
    <>
      {shape === "json" && <FieldInput {...props} />}
      {shape === "fields" && <ObjectInput {...props} />}
      {shape === "tags" && <TagsInput {...{ id, draft, isReadOnly, describedBy, onChange }} />}
      {other !== shape && (
        <div>
          <Button look="small" label={`Edit as ${WORDS[other]}: ${draft.name}`} onClick={show}>
            Edit as {WORDS[other]}
          </Button>
        </div>
      )}
    </>
  );
}

const WORDS: Readonly<Record<Shape, string>> = { fields: "fields", tags: "list", json: "JSON" };

function shapeOf(value: Json | undefined): Shape {
  if (Array.isArray(value)) return value.length > 0 && value.every(isTag) ? "tags" : "json";
  if (!isJsonObject(value)) return "json";
  const { length } = Object.keys(value);
  return length > 0 && length <= MOST_FIELDS ? "fields" : "json";
}

function isTag(value: Json): boolean {
  return typeof value === "string" && value.length <= LONGEST_TAG && !value.includes("\n");
}

function draftsIn(text: string): readonly FieldDraft[] {
  const value = parseJson(text);
  return isJsonObject(value) ? draftsOf(value, "") : [];
}

function ObjectInput({ id, draft, isReadOnly = false, describedBy, onChange }: FieldInputProps) {
  const [typed, setTyped] = useState(() => ({ text: draft.text, drafts: draftsIn(draft.text) }));
  // Plausible data may have replaced it.
  const drafts = typed.text === draft.text ? typed.drafts : draftsIn(draft.text);
  const change = (at: number, changed: FieldDraft): void => {
    const next = drafts.with(at, changed);
    const wrong = problemIn(next);
    const text = wrong ? draft.text : JSON.stringify(recordOf(next), null, 2);
    setTyped({ text, drafts: next });
    onChange({ ...draft, text, innerProblem: wrong && `is not complete: ${wrong.problem.replace(/\.$/, "")}` });
  };
  return (
    <fieldset id={id} class="sub-form" aria-label={draft.name} aria-describedby={describedBy} tabIndex={-1}>
      {drafts.map((inner, at) => (
        <div key={inner.name} class="sub-field">
          <label class="mono cut" for={`${id}-in-${at}`}>
            {formatName(inner.name)}
          </label>
          <FieldInput
            id={`${id}-in-${at}`}
            draft={inner}
            facts={{}}
            isReadOnly={isReadOnly}
            onChange={(changed) => change(at, changed)}
          />
        </div>
      ))}
    </fieldset>
  );
}
