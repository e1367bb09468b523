import { askJson } from "../api/ask.ts";
import { noteChange } from "../api/live-data.ts";
import { lastOf } from "../api/resource.ts";
import { nameOf, SAVE_FIRST, type Snapshot, saveSnapshot, snapshotPath } from "../api/snapshot.ts";
import { useOverview } from "../api/use-overview.ts";
import { useResource } from "../api/use-resource.ts";
import { formatRoute } from "../routes/route.ts";
import { Button } from "../ui/button.tsx";
import { useConfirm } from "../ui/confirm.tsx";
import { formatBytes, formatDate, plural } from "../ui/format.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { Empty, NotReady, Problem } from "../ui/notice.tsx";
import { PageHead } from "../ui/page-head.tsx";
import type { Said } from "../ui/said.ts";
import { useReport } from "../ui/use-report.ts";
import { useValidity } from "../ui/use-validity.ts";
import { SnapshotPage } from "./snapshot-page.tsx";
import "./snapshots-view.css";
import { useState } from "preact/hooks";
import { CopyButton } from "../ui/copy-button.tsx";
import { Form } from "../ui/form.tsx";
import { Labelled } from "../ui/labelled.tsx";

type SnapshotId = Pick<Snapshot, "id">;

interface SnapshotsViewProps {
  /** The one that is compared. */
  readonly chosen: string | undefined;
  /** The one that it is compared with; undefined for the current data. */
  readonly to: string | undefined;
}

/** Saved states of the data: save, compare, restore. With a chosen one, that beside the data or another one. */
export function SnapshotsView({ chosen, to }: SnapshotsViewProps) {
  const { snapshots: isOn, readOnly } = useOverview();
  const [list, reload] = useResource<readonly Snapshot[]>(
    (signal) => (isOn ? askJson("GET", "/__snapshots__", { signal }) : undefined),
    [isOn],
  );
  const { refusal, attempt } = useReport(async () => reload());
  const [question, ask] = useConfirm();
  const snapshots = lastOf(list);

  const change = async (method: string, path: string, text: string): Promise<Said> => {
    await askJson(method, path);
    noteChange();
    return { text };
  };
  const save = (name: string, onSaved: () => void): Promise<void> =>
    attempt(async () => {
      const saved = await saveSnapshot(name);
      onSaved();
      return { text: `Saved as ${nameOf(saved)}.` };
    });
  const restore = (snapshot: SnapshotId): void =>
    ask({
      title: `Restore ${nameOf(snapshot)}?`,
      text: "This replaces all data. Changes made since then are lost unless you save them first.",
      action: "Restore",
      first: SAVE_FIRST,
      onConfirm: (isSaved) =>
        attempt(async () => {
          if (isSaved) await saveSnapshot();
          return change("PUT", snapshotPath(snapshot), `Restored ${nameOf(snapshot)}.`);
        }),
    });
  const remove = (snapshot: SnapshotId): void =>
    ask({
      title: `Delete ${nameOf(snapshot)}?`,
      text: "This deletes the snapshot for good. The data does not change.",
      action: "Delete",
      onConfirm: () => attempt(() => change("DELETE", snapshotPath(snapshot), `Deleted ${nameOf(snapshot)}.`)),
    });
  const reset = (): void =>
    ask({
      title: "Reset the data?",
      text: "This restores the data as the server loaded it. Changes made since then are lost.",
      action: "Reset",
      first: isOn ? SAVE_FIRST : undefined,
      onConfirm: (isSaved) =>
        attempt(async () => {
          if (isSaved) await saveSnapshot();
          return change("POST", "/__reset", "Reset to the loaded data.");
        }),
    });

  const isListed = !isOn || chosen === undefined;
  return (
    <div class="page">
      {isListed ? (
        <PageHead
          title="Snapshots"
          lead={snapshots ? plural(snapshots.length, "saved state") : "Saved states of the data"}
          actions={
            !readOnly && (
              <Button icon="undo" onClick={reset}>
                Reset the data
              </Button>
            )
          }
        />
      ) : (
        <SnapshotPage
          key={`${chosen}/${to}`}
          id={chosen}
          to={to}
          others={snapshots ?? []}
          onRestoreAll={() => restore({ id: chosen })}
        />
      )}
      {!isOn && <SnapshotsOff />}
      {refusal && <Problem refusal={refusal} />}
      {isOn && isListed && (
        <>
          {(snapshots || list.kind === "loading") && <SaveForm onSave={save} />}
          <NotReady resource={list} what="the snapshots" onRetry={reload} />
          {snapshots?.length === 0 && (
            <Empty icon="snapshots" title="Nothing saved yet">
              <p>Save the current data, make changes, and compare. Put back single records, or everything as it was.</p>
            </Empty>
          )}
          {snapshots && snapshots.length > 0 && (
            <SnapshotList snapshots={snapshots} onRemove={remove} {...(!readOnly && { onRestore: restore })} />
          )}
        </>
      )}
      {question}
    </div>
  );
}

interface SnapshotListProps {
  readonly snapshots: readonly Snapshot[];
  readonly onRestore?: (snapshot: Snapshot) => void;
  readonly onRemove: (snapshot: Snapshot) => void;
}

function SnapshotList({ snapshots, onRestore, onRemove }: SnapshotListProps) {
  return (
    <ul class="card flush state-list">
      {snapshots.map((snapshot) => {
        const name = nameOf(snapshot);
        const page = formatRoute({ view: "snapshots", snapshot: snapshot.id });
        return (
          <li key={snapshot.id}>
            <div class="state-text">
              <a class="cut" href={page}>
                {name}
              </a>
              <span class="soft">
                {formatDate(snapshot.created_at)} · {formatBytes(snapshot.bytes)}
              </span>
            </div>
            <div class="cluster actions">
              <a class="button small" href={page} aria-label={`Compare ${name}`}>
                Compare
              </a>
              {onRestore && (
                <Button look="small" label={`Restore ${name}`} onClick={() => onRestore(snapshot)}>
                  Restore
                </Button>
              )}
              <IconButton icon="trash" label={`Delete ${name}`} onClick={() => onRemove(snapshot)} />
            </div>
          </li>
        );
      })}
    </ul>
  );
}

const FLAG = "--snapshots snapshots";

/** Says how to switch snapshots on. */
function SnapshotsOff() {
  return (
    <Empty icon="snapshots" title="Snapshots are off">
      <p>Start the server with this option to keep them in a folder of that name:</p>
      <div class="row off-flag">
        <code>{FLAG}</code>
        <CopyButton text={FLAG} />
      </div>
      <p>A reset to the data as it was loaded works without.</p>
    </Empty>
  );
}

function SaveForm({ onSave }: { onSave: (name: string, onSaved: () => void) => Promise<void> }) {
  const [typed, setTyped] = useState("");
  const name = asName(typed);
  const isUnfit = typed.trim() !== "" && (name === "" || name.length > LONGEST_NAME);
  const input = useValidity(isUnfit ? `Type 1 to ${LONGEST_NAME} letters from A to Z or digits.` : "");
  return (
    <Form class="card save-form" onSubmit={() => onSave(name, () => setTyped(""))}>
      <Labelled label="Name (optional)">
        {(id) => (
          <input
            ref={input}
            id={id}
            placeholder="before the sale"
            autocomplete="off"
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        )}
      </Labelled>
      <Button look="primary">Save a snapshot</Button>
    </Form>
  );
}

const LONGEST_NAME = 100;

/** Names have letters, digits, dots, dashes and underscores: "before the sale" becomes "before-the-sale". */
function asName(text: string): string {
  return text.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[^A-Za-z0-9]+|-+$/g, "");
}
