import { useState } from "preact/hooks";
import { NAME_INPUT } from "../ui/name-input.ts";

export function SaveForm({ onSave }: { onSave: (name: string) => Promise<void> }) {
  const [name, setName] = useState("");
  return (
    <form
      class="card save-form"
      onSubmit={(event) => {
        event.preventDefault();
        void onSave(name).then(() => setName(""));
      }}
    >
      <div class="field">
        <label for="snapshot-name">Name (optional)</label>
        <input
          id="snapshot-name"
          placeholder="before-the-sale"
          {...NAME_INPUT}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </div>
      <button type="submit" class="button primary">
        Save a snapshot
      </button>
    </form>
  );
}
