import { isSameJson, type Json } from "../../../api/json.ts";
import { draftOf, type FieldDraft, isBlank, valueIn } from "../field-drafts.ts";
import type { InputProps } from "./input-props.ts";

/** One of the values that the rules allow. A value that they do not allow stays until another is chosen. */
export function ChoiceInput({ draft, facts, isOmittable, isReadOnly, onChange, control }: InputProps) {
  const choices = facts.rule?.enum ?? [];
  const value = valueIn(draft);
  const isLeftOut = isOmittable && isBlank(draft);
  const at = isLeftOut ? -1 : choices.findIndex((choice) => isSameJson(choice, value));
  return (
    <select
      {...control}
      value={at === -1 ? "" : String(at)}
      disabled={isReadOnly}
      onChange={({ currentTarget: { value: picked } }) => {
        const { name, isAdded, isSpare } = draft;
        const chosen =
          picked === "" ? { name, kind: "text" as const, text: "" } : draftOf(name, choices[+picked] as Json);
        onChange({ ...chosen, ...(isAdded && { isAdded }), ...(isSpare && { isSpare }) });
      }}
    >
      {(at === -1 || isOmittable) && (
        <option value="">{at !== -1 || isLeftOut ? "Not set" : `${wordsFor(draft)} (not allowed)`}</option>
      )}
      {choices.map((choice, index) => (
        <option key={index} value={String(index)}>
          {typeof choice === "string" ? choice || "(empty)" : JSON.stringify(choice)}
        </option>
      ))}
    </select>
  );
}

function wordsFor({ kind, text }: FieldDraft): string {
  return kind === "null" ? "null" : text || "(empty)";
}
