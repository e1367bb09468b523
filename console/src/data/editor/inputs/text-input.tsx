import { withLineEnds } from "../values/line-ends.ts";
import type { InputProps } from "./input-props.ts";

/** Detecting the direction of a megabyte of text blocks a browser for a minute. */
const LONG_TEXT = 10_000;
const KEYBOARDS: Readonly<Record<string, "email" | "url">> = { email: "email", uri: "url" };

/** A text of one line: an email address, a URI, a UUID. */
export function LineInput(props: InputProps) {
  const { rule, known } = props.facts;
  return <input {...shared(props)} inputMode={KEYBOARDS[rule?.format ?? known?.format ?? ""]} />;
}

/** Any text. It grows with its lines. */
export function TextInput(props: InputProps) {
  return <textarea {...shared(props)} rows={1} />;
}

function shared({ draft, control, isReadOnly, onChange }: InputProps) {
  return {
    ...control,
    value: draft.text,
    readOnly: isReadOnly,
    dir: draft.text.length < LONG_TEXT ? ("auto" as const) : ("ltr" as const),
    spellcheck: false,
    onInput: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      onChange({ ...draft, text: withLineEnds(value, draft.text) }),
  };
}
