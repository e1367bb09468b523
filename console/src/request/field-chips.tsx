import { isJsonObject, parseJson } from "../api/json.ts";
import type { BodyField } from "./known-requests.ts";

/** Shown at once. */
const MOST_FIELDS = 30;

interface FieldChipsProps {
  readonly body: string;
  readonly fields: readonly BodyField[];
  readonly onChange: (body: string) => void;
}

/** Completes a body: the fields that it may have and does not have yet, each a click away. */
export function FieldChips({ body, fields, onChange }: FieldChipsProps) {
  const value = body.trim() === "" ? {} : parseJson(body);
  if (!isJsonObject(value)) return null;
  const missing = fields.filter(({ name }) => !Object.hasOwn(value, name)).slice(0, MOST_FIELDS);
  if (missing.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of buttons
    <div class="chips" role="group" aria-label="Fields to add">
      {missing.map(({ name, value: first }) => (
        <button
          key={name}
          type="button"
          class="chip-toggle"
          onClick={() => onChange(JSON.stringify({ ...value, [name]: first }, null, 2))}
        >
          + {name}
        </button>
      ))}
    </div>
  );
}
