import { useState } from "preact/hooks";

export function SaveForm({ onSave }: { onSave: (name: string) => Promise<void> }) {
  const [name, setName] = useState("");
  return (
    <form
      class="card save-form"
      onSubmit={(event) => {
        event.preventDefault();
        void onSave(asName(name)).then(() => setName(""));
      }}
    >
      <div class="field">
        <label for="snapshot-name">Name (optional)</label>
        <input
          id="snapshot-name"
          placeholder="before the sale"
          maxLength={100}
          autocomplete="off"
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

/** Names have letters, digits, dots, dashes and underscores: "before the sale" becomes "before-the-sale". */
function asName(text: string): string {
  return text.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[^A-Za-z0-9]+|-+$/g, "");
}
