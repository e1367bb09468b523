import type { InputProps } from "./input-props.ts";

/** A switch. Until it is first used, a field that may be left out is neither true nor false. */
export function ToggleInput({ draft, control, isNull, isReadOnly, onChange }: InputProps) {
  const isOn = draft.text === "true";
  const isUnset = draft.text === "";
  return (
    <span class="toggle">
      <input
        {...control}
        type="checkbox"
        class={isUnset ? "unset" : ""}
        role="switch"
        aria-checked={isOn}
        checked={isOn}
        disabled={isReadOnly}
        onChange={() => onChange({ ...draft, text: isOn ? "false" : "true" })}
      />
      <span class={isUnset ? "soft" : "mono"} aria-hidden={!isUnset}>
        {isUnset ? (isNull ? "null" : "Not set") : draft.text}
      </span>
    </span>
  );
}
