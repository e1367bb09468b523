import { useEffect, useRef, useState } from "preact/hooks";
import { type RecordChange, recordName } from "../api/record-change.ts";
import { asRefusal, Refusal } from "../api/refusal.ts";
import type { SnapshotChanges } from "../api/snapshot.ts";
import { useOverview } from "../api/use-overview.ts";
import { ChangeCard } from "../records/comparison/change-card.tsx";
import { Conflict } from "../records/conflict.ts";
import { Button } from "../ui/button.tsx";
import { plural } from "../ui/format.ts";
import { Empty, Problem } from "../ui/notice.tsx";
import { canRestore, restoreRecords } from "./restore-records.ts";

interface ChangeListProps {
  readonly changes: SnapshotChanges;
  /** The names of the two states. */
  readonly states: readonly [before: string, after: string];
  /** Whether the data is one of the states, and may be changed. */
  readonly hasWayBack: boolean;
  /** The data is no longer what was compared. */
  readonly onStale: () => void;
}

/** The records that differ, each with the way back, or several of them at once. */
export function ChangeList({ changes: compared, states, hasWayBack, onStale }: ChangeListProps) {
  const { changes, total, collections } = compared;
  const { members } = useOverview();
  const [refusal, setRefusal] = useState<Refusal>();
  const [isPending, setPending] = useState(false);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const list = useRef<HTMLDivElement>(null);
  const restored = useRef<number>();
  // The button that had the focus is gone with its record.
  useEffect(() => {
    if (restored.current === undefined) return;
    const buttons = [...(list.current?.querySelectorAll("button") ?? [])];
    const next =
      buttons[Math.min(restored.current, buttons.length - 1)] ?? document.querySelector<HTMLElement>(".back");
    if (document.activeElement === document.body) next?.focus();
    restored.current = undefined;
  }, [changes]);
  if (total === 0) {
    const isSame = collections.created.length + collections.removed.length === 0;
    return isSame ? <NothingDiffers isFollowed={hasWayBack} /> : null;
  }
  const restorable = hasWayBack ? changes.filter((one) => canRestore(one, members)) : [];
  const chosen = restorable.filter((one) => ticked.has(keyOf(one)));
  const restore = async (wanted: readonly RecordChange[]): Promise<void> => {
    if (isPending || wanted.length === 0) return;
    setPending(true);
    setRefusal(undefined);
    try {
      await restoreRecords(wanted, members);
      restored.current = restorable.findIndex((one) => wanted.includes(one));
      setTicked(new Set());
    } catch (thrown) {
      setRefusal(thrown instanceof Conflict ? changedSince(wanted) : asRefusal(thrown));
      onStale();
    } finally {
      setPending(false);
    }
  };
  const tick = (keys: readonly string[], isTicked: boolean): void => {
    const others = [...ticked].filter((key) => !keys.includes(key));
    setTicked(new Set(isTicked ? [...others, ...keys] : others));
  };
  return (
    <>
      {refusal && <Problem refusal={refusal} />}
      {restorable.length > 1 && (
        <div class="cluster restore-bar">
          <label class="check">
            <input
              type="checkbox"
              checked={chosen.length === restorable.length}
              onChange={(event) => tick(restorable.map(keyOf), event.currentTarget.checked)}
            />
            {changes.length < total ? `Select the ${restorable.length} shown` : `Select all ${restorable.length}`}
          </label>
          <Button icon="undo" isDisabled={isPending || chosen.length === 0} onClick={() => void restore(chosen)}>
            {chosen.length === 0 ? "Restore the selection" : `Restore ${plural(chosen.length, "record")}`}
          </Button>
        </div>
      )}
      <div class="column change-list" ref={list}>
        <h2 class="unseen">Records that differ</h2>
        {changes.map((change) => {
          const key = keyOf(change);
          const action = `${actionOf(change)} ${recordName(change)}`;
          if (!restorable.includes(change)) return <ChangeCard key={key} change={change} states={states} />;
          return (
            <ChangeCard
              key={key}
              change={change}
              states={states}
              mark={
                restorable.length > 1 && (
                  <input
                    type="checkbox"
                    aria-label={`Select ${recordName(change)}`}
                    checked={ticked.has(key)}
                    onChange={(event) => tick([key], event.currentTarget.checked)}
                  />
                )
              }
              actions={
                <button
                  type="button"
                  class="button small"
                  aria-disabled={isPending}
                  aria-label={action}
                  onClick={() => void restore([change])}
                >
                  {actionOf(change)}
                </button>
              }
            />
          );
        })}
      </div>
    </>
  );
}

function NothingDiffers({ isFollowed }: { isFollowed: boolean }) {
  return (
    <Empty icon="check" title="Nothing differs">
      <p>
        {isFollowed
          ? "The data is as it was saved. Changes appear here as they are made."
          : "Both have the same records with the same values."}
      </p>
    </Empty>
  );
}

function keyOf({ collection, id, before, after }: RecordChange): string {
  return `${collection}/${id ?? JSON.stringify(before ?? after)}`;
}

/** Going back deletes a record that the snapshot does not have. */
function actionOf({ kind }: RecordChange): string {
  return kind === "created" ? "Delete" : "Restore";
}

function changedSince(changes: readonly RecordChange[]): Refusal {
  const [only] = changes;
  const what = only && changes.length === 1 ? recordName(only) : "One of the records";
  return new Refusal(
    409,
    "",
    "Not restored",
    `${what} has changed since it was compared. Look at the difference again.`,
  );
}
