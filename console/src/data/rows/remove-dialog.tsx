import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { plural } from "../../ui/format.ts";
import { useAttempt } from "../../ui/use-attempt.ts";
import { removePicked } from "./bulk.ts";
import { type BulkDialogProps, explained, HowItGoes, Refused, useSafety } from "./bulk-safety.tsx";
import { countSelected } from "./selection.ts";

/** Removes all picked records, after a question. */
export function RemoveDialog({ picked, onClose, onDone }: BulkDialogProps) {
  const safety = useSafety(picked);
  const { refusal, isBusy, attempt } = useAttempt((thrown) => explained(thrown, picked.collection));
  const words = plural(countSelected(picked.selection, picked.total), "record");
  const remove = (): Promise<void> =>
    attempt(async () => {
      await safety.save();
      await removePicked(picked);
      onDone();
    });
  return (
    <Dialog title={`Delete ${words}?`} shape="box" onClose={onClose}>
      <HowItGoes picked={picked} change={undefined} safety={safety} />
      <Refused refusal={refusal} />
      <div class="cluster actions">
        <Button isFirst onClick={onClose}>
          Cancel
        </Button>
        <Button look="danger" isBusy={isBusy} onClick={() => remove()}>
          Delete {words}
        </Button>
      </div>
    </Dialog>
  );
}
