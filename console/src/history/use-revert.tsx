import { useState } from "preact/hooks";
import { type ConflictsFound, conflictsIn } from "../api/history.ts";
import { asRefusal } from "../api/refusal.ts";
import { SAVE_FIRST, saveSnapshot } from "../api/snapshot.ts";
import { useKnownOverview } from "../api/use-overview.ts";
import { restoreTo, revert } from "../records/revert.ts";
import { announce } from "../records/undoing.ts";
import { useConfirm } from "../ui/confirm.tsx";
import { useAttempt } from "../ui/use-attempt.ts";
import { RevertConflicts } from "./revert-conflicts.tsx";

/** A revert that found records in its way. */
interface Stopped {
  readonly version: number;
  readonly found: ConflictsFound;
  /** Fields were to be merged. */
  readonly fields: boolean;
}

/** Reverts versions and restores moments, with the questions that this takes. `dialogs` is to be shown. */
export function useRevert() {
  const { refusal, isBusy, attempt } = useAttempt();
  const [stopped, setStopped] = useState<Stopped>();
  const [question, ask] = useConfirm();
  const { snapshots = false } = useKnownOverview() ?? {};
  const revertOne = (version: number, fields = false): Promise<void> =>
    attempt(async () => {
      try {
        const write = await revert(version, { fields });
        setStopped(undefined);
        announce(write.made ? `Reverted version ${version}` : `Nothing is left of version ${version}`, write);
      } catch (thrown) {
        const found = conflictsIn(asRefusal(thrown));
        setStopped(found && { version, found, fields });
        if (!found) throw thrown;
      }
    });
  const restore = (version: number, then?: () => void): void =>
    ask({
      title: `Restore to version ${version}?`,
      text: "All data becomes what it was then. This is a new version: you can undo it, and nothing of the history is lost.",
      action: "Restore to here",
      first: snapshots ? SAVE_FIRST : undefined,
      onConfirm: (isSaved) =>
        attempt(async () => {
          if (isSaved) await saveSnapshot();
          const write = await restoreTo(version);
          announce(`Restored to version ${version}`, write);
          then?.();
        }),
    });
  const dialogs = (
    <>
      {question}
      {stopped && (
        <RevertConflicts
          {...stopped}
          isBusy={isBusy}
          onMerge={() => revertOne(stopped.version, true)}
          onClose={() => setStopped(undefined)}
        />
      )}
    </>
  );
  return { refusal, isBusy, revert: revertOne, restore, dialogs };
}
