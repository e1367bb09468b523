import { useEffect, useRef, useState } from "preact/hooks";
import { createMember } from "../api/collections.ts";
import type { Member } from "../api/overview.ts";
import { type RecordChange, recordName } from "../api/record-change.ts";
import { asRefusal, Refusal } from "../api/refusal.ts";
import { type MemberChanges, nameOf, type SnapshotChanges, totalOf } from "../api/snapshot.ts";
import { useOverview } from "../api/use-overview.ts";
import { ChangeCard } from "../records/comparison/change-card.tsx";
import { Conflict } from "../records/conflict.ts";
import { formatRoute } from "../routes/route.ts";
import { Button } from "../ui/button.tsx";
import { Chip } from "../ui/chip.tsx";
import { formatCount, formatDate, plural } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { Empty, Failure, Loading, Problem } from "../ui/notice.tsx";
import { canRestore, restoreRecord } from "./restore-record.ts";
import { useChanges } from "./use-changes.ts";

interface SnapshotPageProps {
  readonly id: string;
  readonly onRestoreAll: () => void;
}

/** A snapshot beside the current data: the records that differ, field by field, each with the way back. */
export function SnapshotPage({ id, onRestoreAll }: SnapshotPageProps) {
  const overview = useOverview();
  const [collection, setCollection] = useState<string>();
  const { loaded, showMore, reload } = useChanges(id, collection);
  const isGone = loaded.kind === "failed" && loaded.refusal.code === "COLLECTION_NOT_FOUND";
  useEffect(() => {
    if (isGone) setCollection(undefined);
  }, [isGone]);
  const changes = loaded.kind === "ready" ? loaded.value : undefined;
  const total = changes?.members.reduce((sum, member) => sum + totalOf(member), 0);
  return (
    <>
      <div class="cluster page-head">
        <div>
          <a class="back" href={formatRoute({ view: "snapshots" })}>
            <Icon name="back" />
            Snapshots
          </a>
          <h1 class="wrap">{nameOf({ id })}</h1>
          <p class="lead">
            {[
              savedAt(id),
              total === undefined ? "" : `${plural(total, "record")} ${total === 1 ? "differs" : "differ"}`,
            ]
              .filter((part) => part !== "")
              .join(" · ")}
          </p>
        </div>
        {!overview.readOnly && changes && (
          <div class="cluster actions">
            <Button icon="undo" onClick={onRestoreAll}>
              Restore everything
            </Button>
          </div>
        )}
      </div>
      {loaded.kind === "loading" && <Loading what="the differences" />}
      {loaded.kind === "failed" && <CannotCompare refusal={loaded.refusal} onRetry={reload} />}
      {changes && (
        <>
          <MemberChips members={changes.members} chosen={collection} onChoose={setCollection} />
          <MemberNotes changes={changes} isReadOnly={overview.readOnly} />
          <ChangeList changes={changes} onStale={reload} />
          {changes.total > changes.changes.length && (
            <div class="row more">
              <Button onClick={showMore}>Show more</Button>
              <span class="soft">
                {formatCount(changes.changes.length)} of {formatCount(changes.total)} records
              </span>
            </div>
          )}
        </>
      )}
    </>
  );
}

function savedAt(id: string): string {
  const time = /^db-(\d{13})(-|$)/.exec(id)?.[1];
  return time === undefined ? "" : `Saved ${formatDate(new Date(Number(time)).toISOString())}`;
}

function CannotCompare({ refusal, onRetry }: { refusal: Refusal; onRetry: () => void }) {
  if (refusal.code !== "SNAPSHOT_NOT_FOUND") return <Failure refusal={refusal} onRetry={onRetry} />;
  return (
    <Empty icon="snapshots" title="There is no such snapshot">
      <p>It may have been deleted.</p>
      <a class="button" href={formatRoute({ view: "snapshots" })}>
        Show the snapshots
      </a>
    </Empty>
  );
}

interface MemberChipsProps {
  readonly members: readonly MemberChanges[];
  readonly chosen: string | undefined;
  readonly onChoose: (name: string | undefined) => void;
}

/** The collections that differ; one can be chosen. */
function MemberChips({ members, chosen, onChoose }: MemberChipsProps) {
  const shown = members.filter((member) => totalOf(member) > 0 || member.name === chosen);
  if (shown.length < 2 && chosen === undefined) return null;
  const total = members.reduce((sum, member) => sum + totalOf(member), 0);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend that is seen
    <div class="chips" role="group" aria-label="Collections">
      <Chip name="All" count={total} isOn={chosen === undefined} onToggle={() => onChoose(undefined)} />
      {shown.map((member) => (
        <Chip
          key={member.name}
          name={member.name}
          count={totalOf(member)}
          isOn={member.name === chosen}
          onToggle={() => onChoose(member.name)}
        />
      ))}
    </div>
  );
}

/** Whole collections that have come or gone. A removed one must be there before its records can be. */
function MemberNotes({ changes, isReadOnly }: { changes: SnapshotChanges; isReadOnly: boolean }) {
  const [refusal, setRefusal] = useState<Refusal>();
  const create = async (member: Pick<Member, "name" | "kind">): Promise<void> => {
    try {
      await createMember(member);
      setRefusal(undefined);
    } catch (thrown) {
      setRefusal(asRefusal(thrown));
    }
  };
  const { created, removed } = changes.collections;
  return (
    <>
      {refusal && <Problem refusal={refusal} />}
      {created.map(({ name }) => (
        <p key={name} class="cluster member-change">
          <span>
            <strong>{name}</strong> was created since then.
          </span>
        </p>
      ))}
      {removed.map((member) => (
        <p key={member.name} class="cluster member-change">
          <span>
            <strong>{member.name}</strong> was removed since then.
            {!isReadOnly && " Create it again to restore its records."}
          </span>
          {!isReadOnly && (
            <Button look="small" onClick={() => create(member)}>
              Create {member.name}
            </Button>
          )}
        </p>
      ))}
    </>
  );
}

interface ChangeListProps {
  readonly changes: SnapshotChanges;
  /** The data is no longer what was compared. */
  readonly onStale: () => void;
}

function ChangeList({ changes: { changes, total, collections }, onStale }: ChangeListProps) {
  const overview = useOverview();
  const [refusal, setRefusal] = useState<Refusal>();
  const [pending, setPending] = useState<RecordChange>();
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
    if (!isSame) return null;
    return (
      <Empty icon="check" title="Nothing differs">
        <p>The data is as it was saved. Changes appear here as they are made.</p>
      </Empty>
    );
  }
  const restore = async (change: RecordChange): Promise<void> => {
    if (pending) return;
    setPending(change);
    setRefusal(undefined);
    try {
      await restoreRecord(change, overview.members);
      restored.current = changes.filter((one) => canRestore(one, overview.members)).indexOf(change);
    } catch (thrown) {
      setRefusal(thrown instanceof Conflict ? changedSince(change) : asRefusal(thrown));
      onStale();
    } finally {
      setPending(undefined);
    }
  };
  return (
    <>
      {refusal && <Problem refusal={refusal} />}
      <div class="column change-list" ref={list}>
        <h2 class="unseen">Records that differ</h2>
        {changes.map((change) => (
          <ChangeCard
            key={`${change.collection}/${change.id ?? JSON.stringify(change.before ?? change.after)}`}
            change={change}
            states={["Snapshot", "Now"]}
            actions={
              !overview.readOnly &&
              canRestore(change, overview.members) && (
                <button
                  type="button"
                  class="button small"
                  aria-disabled={pending !== undefined}
                  aria-label={`${actionOf(change)} ${recordName(change)}`}
                  onClick={() => void restore(change)}
                >
                  {actionOf(change)}
                </button>
              )
            }
          />
        ))}
      </div>
    </>
  );
}

/** Going back deletes a record that the snapshot does not have. */
function actionOf({ kind }: RecordChange): string {
  return kind === "created" ? "Delete" : "Restore";
}

function changedSince(change: RecordChange): Refusal {
  return new Refusal(
    409,
    "",
    "Not restored",
    `${recordName(change)} has changed since it was compared. Look at the difference again.`,
  );
}
