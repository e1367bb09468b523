import { useEffect, useState } from "preact/hooks";
import { askJson } from "../api/ask.ts";
import type { Json } from "../api/json.ts";
import { asRefusal, type Refusal } from "../api/refusal.ts";
import { ChangeCard } from "../data/comparison/change-card.tsx";
import { recordName } from "../data/comparison/record-change.ts";
import { cellText } from "../data/table/cell-text.ts";
import { Dialog } from "../ui/dialog.tsx";
import { plural } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { Loading, Problem } from "../ui/notice.tsx";
import { type Conflict, type Sandbox, type SandboxChanges, sandboxPath } from "./sandbox.ts";

interface ChangesDialogProps {
  readonly sandbox: Sandbox;
  readonly isReadOnly: boolean;
  readonly onPromote: (renumber: boolean) => void;
  readonly onClose: () => void;
}

/** Shows what was done in a sandbox, field by field, and offers to promote it. */
export function ChangesDialog({ sandbox, isReadOnly, onPromote, onClose }: ChangesDialogProps) {
  const [changes, setChanges] = useState<SandboxChanges>();
  const [refusal, setRefusal] = useState<Refusal>();
  useEffect(() => {
    askJson<SandboxChanges>("GET", `${sandboxPath(sandbox)}/changes`).then(setChanges, (thrown) =>
      setRefusal(asRefusal(thrown)),
    );
  }, [sandbox]);
  const conflicts = changes?.conflicts ?? [];
  // Records that both sides created can have new ids; nothing else can be mended here.
  const canRenumber =
    conflicts.length > 0 && conflicts.every(({ base, main, sandbox: own }) => isTwice(base, main, own));
  const isEmpty = changes !== undefined && changes.total === 0 && memberLines(changes).length === 0;
  return (
    <Dialog title={`Changes in ${sandbox.name}`} shape="drawer" onClose={onClose}>
      {refusal && <Problem refusal={refusal} />}
      {!changes && !refusal && <Loading what="the changes" />}
      {isEmpty && <p>Nothing differs from the data it began with.</p>}
      {conflicts.length > 0 && <ConflictList conflicts={conflicts} canRenumber={canRenumber} />}
      {changes && memberLines(changes).map((line) => <p key={line}>{line}</p>)}
      {changes?.changes.map((change) => (
        <ChangeCard key={`${change.collection}/${change.id}`} change={change} />
      ))}
      {changes && changes.total > changes.changes.length && (
        <p class="soft">And {plural(changes.total - changes.changes.length, "more record")}.</p>
      )}
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          Close
        </button>
        {changes && !isEmpty && !isReadOnly && (
          <button
            type="button"
            class="button primary"
            disabled={conflicts.length > 0 && !canRenumber}
            onClick={() => onPromote(canRenumber)}
          >
            {canRenumber ? "Promote with new ids" : "Promote"}
          </button>
        )}
      </div>
    </Dialog>
  );
}

function isTwice(base: Json, main: Json, own: Json): boolean {
  return base === null && main !== null && own !== null;
}

function memberLines({ collections: { created, removed } }: SandboxChanges): string[] {
  return [
    ...created.map(({ name }) => `${name} was created.`),
    ...removed.map(({ name }) => `${name} was removed with all its records.`),
  ];
}

function ConflictList({ conflicts, canRenumber }: { conflicts: readonly Conflict[]; canRenumber: boolean }) {
  return (
    <div class="problem" role="alert">
      <Icon name="warning" />
      <div>
        <strong>{plural(conflicts.length, "conflict")} with the main data</strong>
        <p>
          {canRenumber
            ? "Both sides created records with the same ids. Promoting gives those of the sandbox new ones."
            : "Both sides changed these records. Make them equal on one side first."}
        </p>
        <ul>
          {conflicts.map((conflict) => (
            <li key={recordName(conflict)}>
              <strong>{recordName(conflict)}</strong>: {shown(conflict.main)} in the main data,{" "}
              {shown(conflict.sandbox)} here
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

function shown(value: Json | undefined): string {
  if (value === undefined || value === null) return "(not there)";
  return value === "" ? "(empty)" : cellText(value);
}
