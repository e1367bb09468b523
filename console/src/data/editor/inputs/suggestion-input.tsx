import { useEffect, useRef, useState } from "preact/hooks";
import type { InputProps } from "./input-props.ts";

/** The place of "another value" in the menu; values have theirs from 0 on. */
const ANOTHER = "another";

/** One of the few values that other records have, or another one. */
export function SuggestionInput({ draft, facts, control, isOmittable, isNull, isReadOnly, onChange }: InputProps) {
  const values = facts.known?.values ?? [];
  const at = values.indexOf(draft.text);
  const [wasFree, setFree] = useState(false);
  const isFree = wasFree || (at === -1 && draft.text !== "");
  const line = useRef<HTMLInputElement>(null);
  const [wantsFocus, setWantsFocus] = useState(false);
  useEffect(() => {
    if (wantsFocus) line.current?.focus();
  }, [wantsFocus]);
  useEffect(() => setFree(isFree), [isFree]);
  if (isFree) {
    return (
      <>
        <input
          {...control}
          ref={line}
          list={`${control.id}-values`}
          autocomplete="off"
          spellcheck={false}
          readOnly={isReadOnly}
          value={draft.text}
          onInput={(event) => onChange({ ...draft, text: event.currentTarget.value })}
        />
        <datalist id={`${control.id}-values`}>
          {values.map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      </>
    );
  }
  return (
    <select
      {...control}
      value={at === -1 ? "" : String(at)}
      disabled={isReadOnly}
      onChange={({ currentTarget: { value: picked } }) => {
        if (picked === ANOTHER) {
          setFree(true);
          setWantsFocus(true);
        } else onChange({ ...draft, text: values[Number(picked)] ?? "" });
      }}
    >
      {(at === -1 || isOmittable) && <option value="">{isNull ? "null" : isOmittable ? "Not set" : "(empty)"}</option>}
      {values.map((value, index) => (
        <option key={value} value={String(index)}>
          {value || "(empty)"}
        </option>
      ))}
      <option value={ANOTHER}>Another value…</option>
    </select>
  );
}
