import { useState } from "preact/hooks";
import { Button } from "../ui/button.tsx";
import { Form } from "../ui/form.tsx";

export function SaveForm({ onSave }: { onSave: (name: string) => Promise<void> }) {
  const [name, setName] = useState("");
  return (
    <Form class="card save-form" onSubmit={() => onSave(asName(name)).then(() => setName(""))}>
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
      <Button look="primary">Save a snapshot</Button>
    </Form>
  );
}

/** Names have letters, digits, dots, dashes and underscores: "before the sale" becomes "before-the-sale". */
function asName(text: string): string {
  return text.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[^A-Za-z0-9]+|-+$/g, "");
}
