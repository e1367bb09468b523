import type { JSX } from "preact";
import { pathInField, type Violation } from "../../api/violation.ts";
import { capitalise, formatName } from "../../ui/format.ts";
import type { FieldDraft } from "./field-drafts.ts";
import { type FieldFacts, isForFile } from "./field-facts.ts";
import { helpFor } from "./field-help.ts";
import { FieldInput } from "./field-input.tsx";
import { FieldMenu, KIND_WORDS } from "./field-menu.tsx";
import { FieldPreview } from "./field-preview.tsx";
import { namePartId } from "./form-focus.ts";
import { inputFor } from "./input-for.ts";
import { FileInput } from "./inputs/file-input.tsx";
import { StructuredInput } from "./structured-input.tsx";

interface FieldRowProps {
  /** Of the control. */
  readonly id: string;
  readonly draft: FieldDraft;
  readonly facts: FieldFacts;
  readonly violations: readonly Violation[];
  readonly isReadOnly: boolean;
  readonly isOmittable: boolean;
  /** Has the focus when the form opens. */
  readonly isFirst: boolean;
  readonly onFill: (() => void) | undefined;
  readonly onChange: (draft: FieldDraft) => void;
  /** The menu has changed it, and may have put another control in place of the old one. */
  readonly onRework: (draft: FieldDraft) => void;
  readonly onRemove: () => void;
}

/** A field: its name and type, what is wrong with it, its control, and what the rules say about it. */
export function FieldRow(props: FieldRowProps) {
  const { id, draft, facts, violations, isReadOnly, isOmittable, isFirst, onFill, onChange, onRework, onRemove } =
    props;
  const { name } = draft;
  const help = facts.rule ? helpFor(facts.rule) : "";
  const isInvalid = violations.length > 0;
  const isStructured = draft.kind === "json" && !facts.reference && !facts.rule?.enum;
  const Control = isForFile(draft, facts) ? FileInput : isStructured ? StructuredInput : FieldInput;
  const described = [isInvalid && `${id}-error`, help !== "" && `${id}-help`].filter((part) => part !== false);
  return (
    <div class="column field-row" onKeyDownCapture={openOptions}>
      <div class="row field-head">
        {draft.isAdded ? (
          <input
            id={namePartId(id)}
            class="field-name mono"
            aria-label="Name of the field"
            placeholder="name"
            value={name}
            readOnly={isReadOnly}
            onInput={(event) => onChange({ ...draft, name: event.currentTarget.value })}
          />
        ) : (
          <label class="field-name mono cut" for={id}>
            {formatName(name)}
            {facts.rule?.isRequired && <span class="required">required</span>}
          </label>
        )}
        <span class="field-type cut">{typeWords(draft, facts)}</span>
        {!isReadOnly && <FieldMenu {...{ draft, facts, isOmittable, onFill, onRemove }} onChange={onRework} />}
      </div>
      {isInvalid && (
        <ul id={`${id}-error`} class="field-errors">
          {violations.map((violation, index) => {
            const path = pathInField(violation);
            return (
              <li key={index}>
                {path === ""
                  ? capitalise(violation.message)
                  : [<code key="path">{path}</code>, ` ${violation.message}`]}
              </li>
            );
          })}
        </ul>
      )}
      <Control
        id={id}
        draft={draft}
        facts={facts}
        isReadOnly={isReadOnly}
        isOmittable={isOmittable}
        describedBy={described.length > 0 ? described.join(" ") : undefined}
        isInvalid={isInvalid}
        isFirst={isFirst}
        onChange={onChange}
      />
      <FieldPreview draft={draft} />
      {help !== "" && (
        <p id={`${id}-help`} class="field-help">
          {help}
        </p>
      )}
    </div>
  );
}

/** Alt+Enter: controls that take Enter themselves do not get it. */
function openOptions(event: JSX.TargetedKeyboardEvent<HTMLElement>): void {
  if (event.key !== "Enter" || !event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  event.currentTarget.querySelector<HTMLElement>(".field-head [aria-haspopup]")?.click();
}

function typeWords(draft: FieldDraft, facts: FieldFacts): string {
  const { rule, known, reference } = facts;
  const { kind, text } = draft;
  if (isForFile(draft, facts)) return known?.file === "list" ? "files" : "file";
  if (reference) return kind === "json" ? `→ list of ${reference.to}` : `→ ${reference.to}`;
  if (kind === "json" && text !== "") return text.trimStart().startsWith("[") ? "list" : "object";
  const format = kind === "text" || kind === "null" ? (rule?.format ?? known?.format) : undefined;
  const input = kind === "text" && text !== "" ? inputFor(draft, facts) : format;
  const words = TYPE_WORDS[input ?? ""] ?? format ?? (kind === "json" ? "JSON" : KIND_WORDS[kind].toLowerCase());
  return kind === "null" && words !== "null" ? `${words}, null` : words;
}

/** By the format or the control. */
const TYPE_WORDS: Readonly<Record<string, string>> = {
  date: "date",
  "date-time": "date-time",
  colour: "colour",
  color: "colour",
};
