import { useEffect, useState } from "preact/hooks";
import { createMember } from "../api/collections.ts";
import type { Member } from "../api/overview.ts";
import { asRefusal, type Refusal } from "../api/refusal.ts";
import { type MemberChanges, nameOf, type Snapshot, type SnapshotChanges, totalOf } from "../api/snapshot.ts";
import { useOverview } from "../api/use-overview.ts";
import { formatRoute } from "../routes/route.ts";
import { go } from "../routes/use-route.ts";
import { Button } from "../ui/button.tsx";
import { Chip } from "../ui/chip.tsx";
import { formatCount, formatDate, plural } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { Labelled } from "../ui/labelled.tsx";
import { Empty, Failure, Loading, Problem } from "../ui/notice.tsx";
import { Select } from "../ui/select.tsx";
import { ChangeList } from "./change-list.tsx";
import { type ComparedStates, useChanges } from "./use-changes.ts";

interface SnapshotPageProps extends ComparedStates {
  /** All snapshots, to choose from. */
  readonly others: readonly Snapshot[];
  readonly onRestoreAll: () => void;
}

/** A snapshot beside the current data, with the way back for each record, or beside another snapshot. */
export function SnapshotPage({ id, to, others, onRestoreAll }: SnapshotPageProps) {
  const overview = useOverview();
  const [collection, setCollection] = useState<string>();
  const { loaded, showMore, reload } = useChanges({ id, to }, collection);
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
        <div class="cluster actions">
          <OtherState id={id} to={to} others={others} />
          {!overview.readOnly && changes && (
            <Button icon="undo" onClick={onRestoreAll}>
              Restore everything
            </Button>
          )}
        </div>
      </div>
      {loaded.kind === "loading" && <Loading what="the differences" />}
      {loaded.kind === "failed" && <CannotCompare refusal={loaded.refusal} onRetry={reload} />}
      {changes && (
        <>
          <MemberChips members={changes.members} chosen={collection} onChoose={setCollection} />
          <MemberNotes changes={changes} canCreate={!overview.readOnly && to === undefined} />
          <ChangeList
            changes={changes}
            states={to === undefined ? ["Snapshot", "Now"] : [nameOf({ id }), nameOf({ id: to })]}
            hasWayBack={!overview.readOnly && to === undefined}
            onStale={reload}
          />
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

/** Chooses the state that the snapshot is compared with. */
function OtherState({ id, to, others }: Omit<SnapshotPageProps, "onRestoreAll">) {
  const options = others
    .filter((one) => one.id !== id)
    .map((one) => [one.id, `${nameOf(one)} (${formatDate(one.created_at)})`] as const);
  return (
    <Labelled label="Compare with" look="inline-field">
      <Select
        value={to ?? ""}
        options={[["", "the current data"], ...options]}
        onChoose={(other) => go({ view: "snapshots", snapshot: id, ...(other !== "" && { to: other }) })}
      />
    </Labelled>
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
function MemberNotes({ changes, canCreate }: { changes: SnapshotChanges; canCreate: boolean }) {
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
            {canCreate && " Create it again to restore its records."}
          </span>
          {canCreate && (
            <Button look="small" onClick={() => create(member)}>
              Create {member.name}
            </Button>
          )}
        </p>
      ))}
    </>
  );
}
