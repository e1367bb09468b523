import { useState } from "preact/hooks";
import { Button } from "../ui/button.tsx";
import { Form } from "../ui/form.tsx";
import { Labelled } from "../ui/labelled.tsx";

export function SaveForm({ onSave }: { onSave: (name: string) => Promise<void> }) {
  const [name, setName] = useState("");
  return (
    <Form class="card save-form" onSubmit={() => onSave(asName(name)).then(() => setName(""))}>
      <Labelled label="Name (optional)">
        <input
          placeholder="before the sale"
          maxLength={100}
          autocomplete="off"
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </Labelled>
      <Button look="primary">Save a snapshot</Button>
    </Form>
  );
}

/** Names have letters, digits, dots, dashes and underscores: "before the sale" becomes "before-the-sale". */
function asName(text: string): string {
  return text.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[^A-Za-z0-9]+|-+$/g, "");
}
