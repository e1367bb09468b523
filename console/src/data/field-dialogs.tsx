import { useState } from "preact/hooks";
import { ask } from "../api/ask.ts";
import { memberPath } from "../api/collections.ts";
import type { JsonObject } from "../api/json.ts";
import { loadOverview, noteChange } from "../api/live-data.ts";
import { madeBy } from "../records/sent-write.ts";
import { announce } from "../records/undoing.ts";
import { FormDialog } from "../ui/form.tsx";
import { plural } from "../ui/format.ts";
import { Labelled } from "../ui/labelled.tsx";
import { useAttempt } from "../ui/use-attempt.ts";

export interface FieldDialogProps {
  readonly kind: "rename" | "remove";
  readonly collection: string;
  readonly field: string;
  readonly onClose: () => void;
  /** It was done, with the name that is there now; undefined after a removal. */
  readonly onDone: (name: string | undefined) => void;
}

/** Renames or removes a field of all records: one request, one version, one undo. */
export function FieldDialog({ kind, collection, field, onClose, onDone }: FieldDialogProps) {
  const [name, setName] = useState(field);
  const { refusal, isBusy, attempt } = useAttempt();
  const isRename = kind === "rename";
  const save = async (): Promise<void> => {
    if (isRename && name === field) return onClose();
    const to = isRename ? name : undefined;
    await changeField({ collection, field }, to);
    onDone(to);
    noteChange();
    await loadOverview();
    onClose();
  };
  return (
    <FormDialog
      title={isRename ? `Rename field ${field}` : `Remove field ${field}?`}
      action={isRename ? "Rename" : "Remove"}
      refusal={refusal}
      isBusy={isBusy}
      onSubmit={() => attempt(save)}
      onClose={onClose}
    >
      <p>
        {isRename
          ? `This changes all records of ${collection} that have the field.`
          : `This removes the field with its values from all records of ${collection}.`}
      </p>
      {isRename && (
        <Labelled label="Name">
          <input
            data-first
            required
            autocomplete="off"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </Labelled>
      )}
    </FormDialog>
  );
}

async function changeField({ collection, field }: { collection: string; field: string }, to: string | undefined) {
  const method = to === undefined ? "DELETE" : "PATCH";
  const path = `${memberPath(collection)}/fields/${encodeURIComponent(field)}`;
  const body: JsonObject | undefined = to === undefined ? undefined : { name: to };
  const answer = await ask(method, path, body === undefined ? {} : { body });
  const { count } = JSON.parse(answer.text) as { count: number };
  const { status, durationMs } = answer;
  const words = to === undefined ? `Removed ${field} from` : `Renamed ${field} to ${to} in`;
  announce(`${words} ${plural(count, "record")}`, {
    ...{ method, path, headers: [], body, status, durationMs },
    made: madeBy(answer),
  });
}
