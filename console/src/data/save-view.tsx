import { useState } from "preact/hooks";
import { saveView } from "../records/saved-views.ts";
import { Button } from "../ui/button.tsx";
import { Form } from "../ui/form.tsx";
import { Icon } from "../ui/icon.tsx";
import { Labelled } from "../ui/labelled.tsx";
import { Popover } from "../ui/popover.tsx";

interface SaveViewProps {
  readonly collection: string;
  readonly query: string;
}

/** Keeps the list as it is under a name, which the navigation lists. */
export function SaveView({ collection, query }: SaveViewProps) {
  const button = (
    <>
      <Icon name="save" />
      <span>
        Save<span class="word"> view</span>
      </span>
    </>
  );
  return (
    <Popover label="Save view" look="button" button={button}>
      {(close) => (
        <NameForm
          onSave={(name) => {
            saveView({ collection, name, query });
            close();
          }}
        />
      )}
    </Popover>
  );
}

function NameForm({ onSave }: { readonly onSave: (name: string) => void }) {
  const [name, setName] = useState("");
  return (
    <Form class="condition-form" onSubmit={() => onSave(name.trim())}>
      <Labelled label="Name of the view">
        <input
          data-first
          required
          pattern=".*\S.*"
          autocomplete="off"
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </Labelled>
      <Button look="small">Save</Button>
    </Form>
  );
}
