import { useEffect, useState } from "preact/hooks";
import { askJson } from "../../api/ask.ts";
import type { Overview } from "../../api/overview.ts";
import { asRefusal } from "../../api/refusal.ts";
import { createSandbox, type Sandbox, type Start } from "../../api/sandbox.ts";
import { nameOf, type Snapshot } from "../../api/snapshot.ts";
import { useOverview } from "../../api/use-overview.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { formatDate } from "../../ui/format.ts";
import { Labelled } from "../../ui/labelled.tsx";
import { NAME_INPUT } from "../../ui/name-input.ts";
import { Problem } from "../../ui/notice.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";

interface NewSandboxDialogProps {
  readonly onCreated: (sandbox: Sandbox) => void;
  readonly onClose: () => void;
}

type StartKind = "current" | "empty" | "snapshot";

const STARTS: readonly { kind: StartKind; name: string; about: string }[] = [
  { kind: "current", name: "Current data", about: "All records as they are now" },
  { kind: "empty", name: "Empty", about: "The same collections, without records" },
  { kind: "snapshot", name: "Snapshot", about: "A state that you saved" },
];

/** Asks for the name of a new sandbox, and the data to begin with. */
export function NewSandboxDialog({ onCreated, onClose }: NewSandboxDialogProps) {
  const overview = useOverview();
  const [name, setName] = useState("");
  const [kind, setKind] = useState<StartKind>("current");
  const [snapshots, setSnapshots] = useState<readonly Snapshot[]>([]);
  const [snapshot, setSnapshot] = useState("");
  const { refusal, setRefusal, isBusy, attempt } = useAttempt();
  useEffect(() => {
    if (!overview.snapshots) return;
    askJson<Snapshot[]>("GET", "/__snapshots__", { isMain: true }).then(
      (found) => {
        setSnapshots(found);
        setSnapshot(found.at(-1)?.id ?? "");
      },
      (thrown) => setRefusal(asRefusal(thrown)),
    );
  }, []);
  const create = async (): Promise<void> => {
    const start: Start = kind === "snapshot" ? { snapshot } : kind;
    onCreated(await createSandbox(name.trim(), start));
  };
  return (
    <Dialog title="New sandbox" shape="box" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void attempt(create);
        }}
      >
        <Labelled label="Name (optional)" look="field">
          {(id) => (
            <input
              id={id}
              data-first
              placeholder="checkout-test"
              {...NAME_INPUT}
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Labelled>
        <fieldset class="starts">
          <legend>Starts with</legend>
          {STARTS.map((start) => (
            <label key={start.kind} class="start-choice">
              <input
                type="radio"
                name="start"
                checked={kind === start.kind}
                disabled={start.kind === "snapshot" && snapshots.length === 0}
                onChange={() => setKind(start.kind)}
              />
              <span class="start-text">
                <strong>{start.name}</strong>
                <span class="hint">{aboutOf(start, overview, snapshots)}</span>
              </span>
            </label>
          ))}
        </fieldset>
        {kind === "snapshot" && (
          <Labelled label="Snapshot" look="field">
            {(id) => (
              <select id={id} value={snapshot} onChange={(event) => setSnapshot(event.currentTarget.value)}>
                {snapshots.toReversed().map((one) => (
                  <option key={one.id} value={one.id}>
                    {nameOf(one)} ({formatDate(one.created_at)})
                  </option>
                ))}
              </select>
            )}
          </Labelled>
        )}
        {refusal && <Problem refusal={refusal} />}
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button primary" disabled={isBusy}>
            Create
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function aboutOf({ kind, about }: (typeof STARTS)[number], overview: Overview, snapshots: readonly Snapshot[]): string {
  if (kind !== "snapshot" || snapshots.length > 0) return about;
  return overview.snapshots ? "None saved yet" : "Start the server with --snapshots to save some";
}
