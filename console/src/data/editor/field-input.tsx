import { useState } from "preact/hooks";
import type { RuledField } from "../../api/overview.ts";
import { ChoiceInput } from "./choice-input.tsx";
import type { FieldDraft } from "./field-drafts.ts";
import { type Reference, ReferenceOptions } from "./reference-options.tsx";

/** Detecting the direction of a megabyte of text blocks a browser for a minute. */
const LONG_TEXT = 10_000;
const KEYBOARDS: Readonly<Record<string, "email" | "url">> = { email: "email", uri: "url" };

interface FieldInputProps {
  readonly id: string;
  readonly draft: FieldDraft;
  readonly rule: RuledField | undefined;
  /** The records that the field refers to. */
  readonly reference: Reference | undefined;
  readonly isReadOnly: boolean;
  /** Whether the field may be left empty to leave it out. */
  readonly isOmittable: boolean;
  /** The ids of its help and its errors. */
  readonly describedBy: string | undefined;
  readonly isInvalid: boolean;
  readonly onChange: (draft: FieldDraft) => void;
}

/** The control that fits a field. It helps, but refuses nothing: what is valid is for the server to say. */
export function FieldInput(props: FieldInputProps) {
  const { id, draft, rule, reference, isReadOnly, isOmittable, describedBy, isInvalid, onChange } = props;
  const { name, kind, text } = draft;
  const [wantsOptions, setWantsOptions] = useState(false);
  const common = {
    id,
    "aria-label": name || "value",
    "aria-describedby": describedBy,
    "aria-invalid": isInvalid || undefined,
    "aria-required": rule?.isRequired,
  };
  if (rule?.enum) {
    const choice = { draft, choices: rule.enum, isOmittable, isReadOnly, onChange };
    return <ChoiceInput {...choice} control={common} />;
  }
  if (kind === "null") return <input {...common} class="fixed" value="null" readOnly />;
  if (kind === "boolean") {
    return (
      <select
        {...common}
        value={text}
        disabled={isReadOnly}
        onChange={(event) => onChange({ ...draft, text: event.currentTarget.value })}
      >
        {(text === "" || isOmittable) && <option value="">(left out)</option>}
        <option value="true">true</option>
        <option value="false">false</option>
      </select>
    );
  }
  const shared = {
    ...common,
    value: text,
    readOnly: isReadOnly,
    dir: text.length < LONG_TEXT ? ("auto" as const) : ("ltr" as const),
    spellcheck: false,
    onInput: (event: { currentTarget: { value: string } }) => onChange({ ...draft, text: event.currentTarget.value }),
  };
  const line = { ...shared, ...(reference && { list: `${id}-options`, autocomplete: "off" }) };
  const options = reference && wantsOptions && <ReferenceOptions id={`${id}-options`} {...reference} />;
  const ask = (): void => setWantsOptions(true);
  if (kind === "number") {
    return (
      <>
        <input {...line} {...(reference ? {} : numberHints(rule, text))} inputMode="decimal" onFocus={ask} />
        {options}
      </>
    );
  }
  // Text of several lines would lose them in a single one.
  if (kind === "text" && (rule?.format !== undefined || reference) && !text.includes("\n")) {
    const isDate = rule?.format === "date" && /^(\d{4}-\d\d-\d\d)?$/.test(text);
    return (
      <>
        <input {...line} type={isDate ? "date" : "text"} inputMode={KEYBOARDS[rule?.format ?? ""]} onFocus={ask} />
        {options}
      </>
    );
  }
  return <textarea {...shared} class={kind === "json" ? "mono" : ""} rows={kind === "json" ? 4 : 1} />;
}

/** Numbers as a number field shows them; it drops any other text. */
const PLAIN_NUMBER = /^(-?(\d+(\.\d+)?|\.\d+)(e[+-]?\d+)?)?$/i;

function numberHints(rule: RuledField | undefined, text: string) {
  if (!rule?.type || !PLAIN_NUMBER.test(text)) return {};
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = rule;
  return {
    type: "number",
    min: minimum ?? exclusiveMinimum,
    max: maximum ?? exclusiveMaximum,
    step: multipleOf ?? (rule.type.includes("integer") ? 1 : ("any" as const)),
  };
}
