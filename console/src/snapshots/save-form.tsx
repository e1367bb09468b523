import { useState } from "preact/hooks";

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
          pattern="[A-Za-z0-9][A-Za-z0-9._\-]{0,99}"
          title="Letters, digits, dots, dashes and underscores"
          value={name}
          autocomplete="off"
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </div>
      <button type="submit" class="button primary">
        Save a snapshot
      </button>
    </form>
  );
}
