import { inSandbox } from "../../api/base.ts";
import { recordName } from "../../api/record-change.ts";
import type { Conflict, Side } from "../../api/sandbox.ts";
import { StatesCard } from "../../records/comparison/states-card.tsx";
import { formatRoute, listRoute, recordRoute } from "../../routes/route.ts";
import { Button } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { plural } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";

/** Records that both sides have created can have new ids; nothing else can be mended here. */
export function canRenumber(conflicts: readonly Conflict[]): boolean {
  return (
    conflicts.length > 0 &&
    conflicts.every(({ base, main, sandbox }) => base === null && main !== null && sandbox !== null)
  );
}

interface ConflictListProps {
  readonly conflicts: readonly Conflict[];
  readonly sandbox: string;
  /** The side that was chosen for one. */
  readonly sideOf: (conflict: Conflict) => Side | undefined;
  /** Left out where nothing can be changed. */
  readonly onChoose?: (conflicts: readonly Conflict[], side: Side) => void;
}

/** Records that both sides have changed: each in its three versions, field by field, with the choice between them. */
export function ConflictList({ conflicts, sandbox, sideOf, onChoose }: ConflictListProps) {
  return (
    <>
      <div class="problem" role="alert">
        <Icon name="warning" />
        <div>
          <strong>{plural(conflicts.length, "conflict")} with the main data</strong>
          <p>
            {canRenumber(conflicts)
              ? "Both sides created records with the same ids. Those of the sandbox get new ones, unless you choose a side."
              : "Both sides changed these records. Choose a side for each."}
          </p>
          {onChoose && conflicts.length > 1 && (
            <div class="cluster">
              <Button look="small" onClick={() => onChoose(conflicts, "main")}>
                Keep main data for all
              </Button>
              <Button look="small" onClick={() => onChoose(conflicts, "sandbox")}>
                Take {sandbox} for all
              </Button>
            </div>
          )}
        </div>
      </div>
      {conflicts.map((conflict) => (
        <ConflictCard
          key={recordName(conflict)}
          conflict={conflict}
          sandbox={sandbox}
          side={sideOf(conflict)}
          {...(onChoose && { onChoose: (side) => onChoose([conflict], side) })}
        />
      ))}
    </>
  );
}

interface ConflictCardProps {
  readonly conflict: Conflict;
  readonly sandbox: string;
  readonly side: Side | undefined;
  readonly onChoose?: (side: Side) => void;
}

function ConflictCard({ conflict, sandbox, side, onChoose }: ConflictCardProps) {
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
      foot={
        onChoose && (
          <>
            <Chip name="Keep main" isOn={side === "main"} onToggle={() => onChoose("main")} />
            <Chip name={`Take ${sandbox}`} isOn={side === "sandbox"} onToggle={() => onChoose("sandbox")} />
          </>
        )
      }
    />
  );
}
