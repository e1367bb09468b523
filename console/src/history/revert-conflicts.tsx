import type { ConflictsFound } from "../api/history.ts";
import { recordName } from "../api/record-change.ts";
import { StatesCard } from "../records/comparison/states-card.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { plural } from "../ui/format.ts";

interface RevertConflictsProps {
  readonly version: number;
  readonly found: ConflictsFound;
  /** Merging fields was tried already. */
  readonly fields: boolean;
  readonly isBusy: boolean;
  readonly onMerge: () => unknown;
  readonly onClose: () => void;
}

/** Shows the records that have changed again since a version, and offers to take back its fields alone. */
export function RevertConflicts({ version, found, fields, isBusy, onMerge, onClose }: RevertConflictsProps) {
  const { conflicts, total } = found;
  const left = total - conflicts.length;
  return (
    <Dialog title={`Version ${version} was not reverted`} shape="drawer" onClose={onClose}>
      <p>
        {plural(total, "record has", "records have")} changed again since, so nothing was changed.{" "}
        {fields
          ? "The same fields are concerned. Revert the later versions first."
          : "You can revert the fields of this change alone, and keep later changes of other fields."}
      </p>
      {conflicts.map((conflict) => (
        <StatesCard
          key={recordName(conflict)}
          record={conflict}
          states={[
            ["This change", conflict.base],
            ["Before it", conflict.then],
            ["Now", conflict.now],
          ]}
        />
      ))}
      {left > 0 && <p class="soft">And {plural(left, "more record")}.</p>}
      <div class="cluster actions">
        <Button onClick={onClose}>Keep all as it is</Button>
        {!fields && (
          <Button look="primary" isBusy={isBusy} onClick={onMerge}>
            Merge fields
          </Button>
        )}
      </div>
    </Dialog>
  );
}
