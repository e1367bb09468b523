import { useEffect, useState } from "preact/hooks";
import { useEvent } from "../../../api/use-event.ts";
import { Icon } from "../../../ui/icon.tsx";
import { formatIds, type Id, idsIn, withId } from "../values/ids.ts";
import type { InputProps } from "./input-props.ts";
import { RelationInput } from "./relation-input.tsx";
import { findNamed, optionWords, type RelationOption } from "./relation-options.ts";

/** A list of ids of another collection: each with its name and a button to remove it, and a search for more. */
export function RelationsInput({ draft, facts, control, isOmittable, isNull, isReadOnly, onChange }: InputProps) {
  const reference = facts.reference!;
  const ids = idsIn(draft.text) ?? [];
  const texts = ids.map(String);
  const [typed, setTyped] = useState("");
  const [known, setKnown] = useState<ReadonlyMap<string, RelationOption>>(new Map());
  const findUnknown = useEvent(() => {
    const unknown = texts.filter((id) => !known.has(id));
    if (unknown.length === 0) return;
    // Without them, the ids are shown alone.
    findNamed(reference, unknown).then(
      (options) => setKnown((former) => new Map([...former, ...options.map((one) => [one.id, one] as const)])),
      () => undefined,
    );
  });
  useEffect(() => findUnknown(), [findUnknown, draft.text]);
  const change = (changed: readonly Id[]): void => onChange({ ...draft, text: formatIds(changed) });
  const wordsOf = (id: string): string => optionWords(known.get(id) ?? { id, value: id, label: undefined });
  return (
    <div class="relations">
      {ids.length > 0 && (
        <ul class="relation-chips">
          {texts.map((id, index) => (
            <li key={id} class="relation-chip">
              <span class="cut">{wordsOf(id)}</span>
              {!isReadOnly && (
                <button
                  type="button"
                  aria-label={`Remove ${wordsOf(id)}`}
                  onClick={() => {
                    change(ids.toSpliced(index, 1));
                    document.getElementById(String(control.id))?.focus();
                  }}
                >
                  <Icon name="close" />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      <RelationInput
        draft={{ name: draft.name, kind: "text", text: typed }}
        facts={facts}
        control={control}
        isOmittable={isOmittable && draft.text === ""}
        isNull={isNull}
        isReadOnly={isReadOnly}
        taken={texts}
        onChange={({ text }) => setTyped(text)}
        onSettle={(id) => {
          change(withId(ids, id));
          setTyped("");
        }}
      />
    </div>
  );
}
