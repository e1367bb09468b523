import { inSandbox } from "../../api/base.ts";
import { recordName } from "../../api/record-change.ts";
import type { Conflict } from "../../api/sandbox.ts";
import { StatesCard } from "../../records/comparison/states-card.tsx";
import { formatRoute, listRoute, recordRoute } from "../../routes/route.ts";
import { plural } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";

/** Records that both sides have created can have new ids; nothing else can be mended here. */
export function canRenumber(conflicts: readonly Conflict[]): boolean {
  return (
    conflicts.length > 0 &&
    conflicts.every(({ base, main, sandbox }) => base === null && main !== null && sandbox !== null)
  );
}

/** Records that both sides have changed: each in its three versions, field by field. */
export function ConflictList({ conflicts, sandbox }: { conflicts: readonly Conflict[]; sandbox: string }) {
  return (
    <>
      <div class="problem" role="alert">
        <Icon name="warning" />
        <div>
          <strong>{plural(conflicts.length, "conflict")} with the main data</strong>
          <p>
            {canRenumber(conflicts)
              ? "Both sides created records with the same ids. Promoting gives those of the sandbox new ones."
              : "Both sides changed these records. Edit them on one side until they are equal, then promote."}
          </p>
        </div>
      </div>
      {conflicts.map((conflict) => (
        <ConflictCard key={recordName(conflict)} conflict={conflict} sandbox={sandbox} />
      ))}
    </>
  );
}

function ConflictCard({ conflict, sandbox }: { conflict: Conflict; sandbox: string }) {
  const { collection, id } = conflict;
  const editor = formatRoute(id === null ? listRoute(collection) : recordRoute(collection, String(id)));
  const states = [
    ["Before", conflict.base],
    ["Main data", conflict.main],
    [sandbox, conflict.sandbox],
  ] as const;
  return (
    <StatesCard
      record={conflict}
      states={states}
      actions={
        <span class="edit-links">
          <a href={inSandbox(undefined, editor)}>Edit in the main data</a>
          <a href={inSandbox(sandbox, editor)}>Edit in {sandbox}</a>
        </span>
      }
    />
  );
}
