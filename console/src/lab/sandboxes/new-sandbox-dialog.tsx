import { useState } from "preact/hooks";
import { askJson } from "../../api/ask.ts";
import type { Overview } from "../../api/overview.ts";
import { lastOf, refusalIn } from "../../api/resource.ts";
import { createSandbox, type Sandbox, type Start } from "../../api/sandbox.ts";
import { nameOf, type Snapshot } from "../../api/snapshot.ts";
import { useOverview } from "../../api/use-overview.ts";
import { useResource } from "../../api/use-resource.ts";
import { FormDialog } from "../../ui/form.tsx";
import { formatDate } from "../../ui/format.ts";
import { Labelled } from "../../ui/labelled.tsx";
import { Select } from "../../ui/select.tsx";
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
  const [saved] = useResource<readonly Snapshot[]>(
    (signal) => (overview.snapshots ? askJson("GET", "/__snapshots__", { isMain: true, signal }) : undefined),
    [overview.snapshots],
  );
  const snapshots = lastOf(saved) ?? [];
  const [chosen, setSnapshot] = useState<string>();
  const snapshot = chosen ?? snapshots.at(-1)?.id ?? "";
  const { refusal, isBusy, attempt } = useAttempt();
  const create = async (): Promise<void> => {
    const start: Start = kind === "snapshot" ? { snapshot } : kind;
    onCreated(await createSandbox(name.trim(), start));
  };
  return (
    <FormDialog
      title="New sandbox"
      action="Create"
      refusal={refusal ?? refusalIn(saved)}
      isBusy={isBusy}
      onSubmit={() => attempt(create)}
      onClose={onClose}
    >
      <Labelled label="Name (optional)">
        <input
          data-first
          placeholder="checkout-test"
          {...NAME_INPUT}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
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
        <Labelled label="Snapshot">
          <Select
            value={snapshot}
            options={snapshots
              .toReversed()
              .map((one) => [one.id, `${nameOf(one)}(${formatDate(one.created_at)})`] as const)}
            onChoose={setSnapshot}
          />
        </Labelled>
      )}
    </FormDialog>
  );
}

function aboutOf({ kind, about }: (typeof STARTS)[number], overview: Overview, snapshots: readonly Snapshot[]): string {
  if (kind !== "snapshot" || snapshots.length > 0) return about;
  return overview.snapshots ? "None saved yet" : "Start the server with --snapshots to save some";
}

/** The names that sandboxes may have, as attributes of an input. */
const NAME_INPUT = {
  pattern: "[A-Za-z0-9][A-Za-z0-9._\\-]{0,99}",
  title: "Letters, digits, dots, dashes and underscores",
  autocomplete: "off",
} as const;
