import type { JsonObject } from "../../api/json.ts";
import { valueText } from "../../records/comparison/value-text.ts";
import type { ReadRecord } from "../../records/conflict.ts";
import { differences } from "../../records/record-diff.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import type { FormResult } from "./record-form.ts";

interface ConflictDialogProps {
  /** The version that the user began with. */
  readonly base: JsonObject;
  readonly mine: FormResult;
  /** Undefined: it was deleted. */
  readonly theirs: ReadRecord | undefined;
  readonly onClose: () => void;
  readonly onSaveOnTop: (theirs: ReadRecord) => void;
  readonly onTakeTheirs: () => void;
  readonly onCreateAgain: () => void;
}

/** Shows both versions after a conflict and lets the user choose; closing it keeps the input. */
export function ConflictDialog(props: ConflictDialogProps) {
  const { base, mine, theirs, onClose, onSaveOnTop, onTakeTheirs, onCreateAgain } = props;
  if (!theirs) {
    return (
      <Dialog title="The record has been deleted" shape="box" onClose={onClose}>
        <p>Nothing was saved. Your input is still there.</p>
        <div class="cluster actions">
          <Button onClick={onClose}>Keep editing</Button>
          <Button look="primary" onClick={onCreateAgain}>
            Create it again
          </Button>
        </div>
      </Dialog>
    );
  }
  const wanted = mine.kind === "record" ? mine.value : base;
  const changedByThem = new Set(differences(base, theirs.value).map(({ field }) => field));
  const changedByMe = new Set(differences(base, wanted).map(({ field }) => field));
  const fields = [...new Set([...changedByThem, ...changedByMe])];
  return (
    <Dialog title="This record was changed elsewhere" shape="box" onClose={onClose}>
      <p>Nothing was saved yet. Your input is still there.</p>
      <table class="conflict">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">On the server now</th>
            <th scope="col">Yours</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={field}>
              <th scope="row">{field}</th>
              <td class={changedByThem.has(field) ? "changed" : undefined}>{valueText(theirs.value[field])}</td>
              <td class={changedByMe.has(field) ? "changed" : undefined}>
                {changedByMe.has(field) ? valueText(wanted[field]) : "not changed"}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div class="cluster actions">
        <Button onClick={onClose}>Keep editing</Button>
        <Button onClick={onTakeTheirs}>Take theirs</Button>
        <Button look="primary" onClick={() => onSaveOnTop(theirs)}>
          Save mine on top
        </Button>
      </div>
    </Dialog>
  );
}
