import { useEffect, useState } from "preact/hooks";
import { askJson } from "../api/ask.ts";
import { noteChange } from "../api/live-data.ts";
import { asRefusal, type Refusal } from "../api/refusal.ts";
import { nameOf, type Snapshot, snapshotPath } from "../api/snapshot.ts";
import { useOverview } from "../api/use-overview.ts";
import { formatRoute } from "../routes/route.ts";
import { Confirm } from "../ui/confirm.tsx";
import { formatBytes, formatDate, plural } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Empty, Failure, Loading, Problem } from "../ui/notice.tsx";
import { SaveForm } from "./save-form.tsx";
import { SnapshotPage } from "./snapshot-page.tsx";
import { SnapshotsOff } from "./snapshots-off.tsx";
import "../styles/snapshots.css";

type SnapshotId = Pick<Snapshot, "id">;
type Asked =
  | { readonly kind: "restore" | "remove"; readonly snapshot: SnapshotId }
  | { readonly kind: "reset" }
  | undefined;

interface SnapshotsViewProps {
  /** The snapshot to compare with the data; undefined for the list of all. */
  readonly chosen: string | undefined;
}

/** Saved states of the data: save, compare, restore. */
export function SnapshotsView({ chosen }: SnapshotsViewProps) {
  const overview = useOverview();
  const [snapshots, setSnapshots] = useState<readonly Snapshot[]>();
  const [asked, setAsked] = useState<Asked>();
  const [refusal, setRefusal] = useState<Refusal>();
  const [said, setSaid] = useState("");

  const attempt = async (work: () => Promise<string>): Promise<void> => {
    setRefusal(undefined);
    try {
      setSaid(await work());
      if (overview.snapshots) setSnapshots(await askJson<Snapshot[]>("GET", "/__snapshots__"));
    } catch (thrown) {
      setRefusal(asRefusal(thrown));
    }
  };
  useEffect(() => void attempt(async () => ""), [overview.snapshots]);

  const restore = (snapshot: SnapshotId): Promise<void> =>
    attempt(async () => {
      await askJson("PUT", snapshotPath(snapshot));
      noteChange();
      return `Restored ${nameOf(snapshot)}.`;
    });
  const remove = (snapshot: SnapshotId): Promise<void> =>
    attempt(async () => {
      await askJson("DELETE", snapshotPath(snapshot));
      return `Deleted ${nameOf(snapshot)}.`;
    });
  const reset = (): Promise<void> =>
    attempt(async () => {
      await askJson("POST", "/__reset");
      noteChange();
      return "Reset to the loaded data.";
    });
  const save = (name: string): Promise<void> =>
    attempt(async () => {
      const saved = await askJson<Snapshot>("POST", "/__snapshots__", { body: name === "" ? {} : { name } });
      return `Saved as ${nameOf(saved)}.`;
    });

  const isListed = !overview.snapshots || chosen === undefined;
  return (
    <div class="page narrow">
      {isListed ? (
        <div class="page-head">
          <div>
            <h1>Snapshots</h1>
            <p class="lead">{snapshots ? plural(snapshots.length, "saved state") : "Saved states of the data"}</p>
          </div>
          {!overview.readOnly && (
            <div class="actions">
              <button type="button" class="button" onClick={() => setAsked({ kind: "reset" })}>
                <Icon name="undo" />
                Reset the data
              </button>
            </div>
          )}
        </div>
      ) : (
        <SnapshotPage
          key={chosen}
          id={chosen}
          onRestoreAll={() => setAsked({ kind: "restore", snapshot: { id: chosen } })}
        />
      )}
      <p class="said" role="status">
        {said}
      </p>
      {!overview.snapshots && <SnapshotsOff />}
      {refusal && (snapshots || !isListed || !overview.snapshots) && <Problem refusal={refusal} />}
      {overview.snapshots && isListed && (
        <>
          {refusal && !snapshots ? (
            <Failure refusal={refusal} onRetry={() => void attempt(async () => "")} />
          ) : (
            <SaveForm onSave={save} />
          )}
          {!snapshots && !refusal && <Loading what="the snapshots" />}
          {snapshots?.length === 0 && (
            <Empty icon="snapshots" title="Nothing saved yet">
              <p>Save the current data, make changes, and compare. Put back single records, or everything as it was.</p>
            </Empty>
          )}
          {snapshots && snapshots.length > 0 && (
            <SnapshotList snapshots={snapshots} isReadOnly={overview.readOnly} onAsk={setAsked} />
          )}
        </>
      )}
      {asked?.kind === "restore" && (
        <Confirm
          title={`Restore ${nameOf(asked.snapshot)}?`}
          action="Restore"
          onConfirm={() => void restore(asked.snapshot)}
          onClose={() => setAsked(undefined)}
        >
          <p>This replaces all data. Changes made since then are lost unless you save them first.</p>
        </Confirm>
      )}
      {asked?.kind === "remove" && (
        <Confirm
          title={`Delete ${nameOf(asked.snapshot)}?`}
          action="Delete"
          onConfirm={() => void remove(asked.snapshot)}
          onClose={() => setAsked(undefined)}
        >
          <p>This deletes the snapshot for good. The data does not change.</p>
        </Confirm>
      )}
      {asked?.kind === "reset" && (
        <Confirm
          title="Reset the data?"
          action="Reset"
          onConfirm={() => void reset()}
          onClose={() => setAsked(undefined)}
        >
          <p>This restores the data as the server loaded it. Changes made since then are lost.</p>
        </Confirm>
      )}
    </div>
  );
}

interface SnapshotListProps {
  readonly snapshots: readonly Snapshot[];
  readonly isReadOnly: boolean;
  readonly onAsk: (asked: Asked) => void;
}

function SnapshotList({ snapshots, isReadOnly, onAsk }: SnapshotListProps) {
  return (
    <ul class="card flush state-list">
      {snapshots.map((snapshot) => (
        <li key={snapshot.id}>
          <div class="state-text">
            <a class="cut" href={formatRoute({ view: "snapshots", snapshot: snapshot.id })}>
              {nameOf(snapshot)}
            </a>
            <span class="soft">
              {formatDate(snapshot.created_at)} · {formatBytes(snapshot.bytes)}
            </span>
          </div>
          <div class="actions">
            <a
              class="button small"
              href={formatRoute({ view: "snapshots", snapshot: snapshot.id })}
              aria-label={`Compare ${nameOf(snapshot)}`}
            >
              Compare
            </a>
            {!isReadOnly && (
              <button
                type="button"
                class="button small"
                aria-label={`Restore ${nameOf(snapshot)}`}
                onClick={() => onAsk({ kind: "restore", snapshot })}
              >
                Restore
              </button>
            )}
            <IconButton
              icon="trash"
              label={`Delete ${nameOf(snapshot)}`}
              onClick={() => onAsk({ kind: "remove", snapshot })}
            />
          </div>
        </li>
      ))}
    </ul>
  );
}
