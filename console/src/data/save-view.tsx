import { useState } from "preact/hooks";
import { useStore } from "../api/store.ts";
import { savedViews, saveView } from "../records/saved-views.ts";
import { Button } from "../ui/button.tsx";
import { Form } from "../ui/form.tsx";
import { Icon } from "../ui/icon.tsx";
import { Labelled } from "../ui/labelled.tsx";
import { NameInput } from "../ui/name-input.tsx";
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
          collection={collection}
          onSave={(name) => {
            saveView({ collection, name, query });
            close();
          }}
        />
      )}
    </Popover>
  );
}

interface NameFormProps extends Pick<SaveViewProps, "collection"> {
  readonly onSave: (name: string) => void;
}

function NameForm({ collection, onSave }: NameFormProps) {
  const [name, setName] = useState("");
  const taken = useStore(savedViews).flatMap((view) => (view.collection === collection ? [view.name] : []));
  return (
    <Form class="condition-form" onSubmit={() => onSave(name.trim())}>
      <Labelled label="Name of the view">
        {(id) => <NameInput {...{ id, taken }} what="view" value={name} onInput={setName} />}
      </Labelled>
      <Button look="small">Save</Button>
    </Form>
  );
}
