import { useState } from "preact/hooks";
import { parseJson } from "../../../api/json.ts";
import { Icon } from "../../../ui/icon.tsx";
import type { FieldDraft } from "../field-drafts.ts";

interface TagsInputProps {
  readonly id: string;
  readonly draft: FieldDraft;
  readonly isReadOnly: boolean;
  readonly describedBy: string | undefined;
  readonly onChange: (draft: FieldDraft) => void;
}

/** A list of short texts: each with a button to remove it, and a box for more. Enter or a comma adds what was typed. */
export function TagsInput({ id, draft, isReadOnly, describedBy, onChange }: TagsInputProps) {
  const [typed, setTyped] = useState("");
  const value = parseJson(draft.text);
  const tags = Array.isArray(value) ? value.map(String) : [];
  const change = (changed: readonly string[]): void => onChange({ ...draft, text: JSON.stringify(changed, null, 2) });
  const add = (): void => {
    const text = typed.trim();
    if (text !== "") change([...tags, text]);
    setTyped("");
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === "Backspace" && typed === "") change(tags.slice(0, -1));
    else if ((event.key === "Enter" && !event.ctrlKey && !event.metaKey) || event.key === ",") add();
    else return;
    event.preventDefault();
  };
  return (
    <div class="relations">
      {tags.length > 0 && (
        <ul class="relation-chips">
          {tags.map((tag, at) => (
            <li key={`${at} ${tag}`} class="relation-chip">
              <bdi class="cut">{tag}</bdi>
              {!isReadOnly && (
                <button type="button" aria-label={`Remove ${tag}`} onClick={() => change(tags.toSpliced(at, 1))}>
                  <Icon name="close" />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {!isReadOnly && (
        <input
          id={id}
          aria-label={draft.name}
          aria-describedby={describedBy}
          placeholder="Add, then Enter"
          autocomplete="off"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={press}
          onBlur={add}
        />
      )}
    </div>
  );
}
