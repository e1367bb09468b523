import { useState } from "preact/hooks";
import { askJson } from "../../api/ask.ts";
import { lastOf, type Resource, refusalIn } from "../../api/resource.ts";
import { type PromoteOptions, type Sandbox, type SandboxChanges, type Side, sandboxPath } from "../../api/sandbox.ts";
import { useResource } from "../../api/use-resource.ts";
import { ChangeCard } from "../../records/comparison/change-card.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { plural } from "../../ui/format.ts";
import { Loading, Problem } from "../../ui/notice.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { ConflictList, canRenumber } from "./conflict-list.tsx";

interface CompareDialogProps {
  readonly sandbox: Sandbox;
  readonly isReadOnly: boolean;
  readonly onPromote: (options: PromoteOptions) => void;
  readonly onClose: () => void;
}

/** `made`: by the sandbox since it began; `all`: every difference now, from changes on either side. */
type Scope = "made" | "all";

const SCOPES: readonly (readonly [Scope, string])[] = [
  ["made", "Changes made here"],
  ["all", "All differences"],
];

/** Compares a sandbox with the main data, field by field, and offers to promote its changes. */
export function CompareDialog({ sandbox, isReadOnly, onPromote, onClose }: CompareDialogProps) {
  const [scope, setScope] = useState<Scope>("made");
  const found = { made: useChanges(sandbox, "made", true), all: useChanges(sandbox, "all", scope === "all") };
  const refusal = refusalIn(found[scope]);
  const made = lastOf(found.made);
  const conflicts = made?.conflicts ?? [];
  const [choices, setChoices] = useState<ReadonlyMap<string, Side>>(new Map());
  const chosen = conflicts.flatMap((one) => {
    const take = choices.get(keyOf(one));
    return take === undefined ? [] : [{ collection: one.collection, id: one.id, take }];
  });
  const isMended = canRenumber(conflicts.filter((one) => !choices.has(keyOf(one))));
  const isSettled = isMended || chosen.length === conflicts.length;
  const canPromote = made !== undefined && !isEmpty(made) && !isReadOnly;
  const shown = lastOf(found[scope]);
  const tabs = SCOPES.map(([one, name]) => {
    const changes = lastOf(found[one]);
    return [one, changes ? `${name} (${changes.total})` : name] as const;
  });
  return (
    <Dialog title={`Compare ${sandbox.name} with the main data`} shape="drawer" onClose={onClose}>
      <div class="at-start">
        <Tabs label="Compare" tabs={tabs} chosen={scope} onChoose={setScope} />
      </div>
      {refusal && <Problem refusal={refusal} />}
      {!shown && !refusal && <Loading what="the changes" />}
      {conflicts.length > 0 && scope === "made" && (
        <ConflictList
          conflicts={conflicts}
          sandbox={sandbox.name}
          sideOf={(one) => choices.get(keyOf(one))}
          {...(!isReadOnly && {
            onChoose: (some, side) =>
              setChoices(new Map([...choices, ...some.map((one) => [keyOf(one), side] as const)])),
          })}
        />
      )}
      {shown && isEmpty(shown) && <p class="soft">{NOTHING[scope]}</p>}
      {shown && <Differences changes={shown} scope={scope} sandbox={sandbox.name} />}
      <div class="drawer-foot">
        <div class="cluster actions">
          <Button onClick={onClose}>Close</Button>
          {canPromote && (
            <Button
              look="primary"
              isDisabled={!isSettled}
              onClick={() => onPromote({ renumber: isMended, conflicts: chosen })}
            >
              {isMended ? "Apply with new ids" : "Apply to main data"}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}

/** The differences, compared once they are wanted. */
function useChanges(sandbox: Sandbox, scope: Scope, isWanted: boolean): Resource<SandboxChanges> {
  const [wasWanted, setWanted] = useState(isWanted);
  if (isWanted && !wasWanted) setWanted(true);
  const path = `${sandboxPath(sandbox)}/changes${scope === "all" ? "?against=main" : ""}`;
  const [changes] = useResource<SandboxChanges>(
    (signal) => (wasWanted ? askJson("GET", path, { signal }) : undefined),
    [wasWanted, path],
  );
  return changes;
}

const NOTHING: Readonly<Record<Scope, string>> = {
  made: "Nothing was changed in this sandbox yet. Open it, or send requests to its URL.",
  all: "This sandbox and the main data are the same.",
};

function isEmpty(changes: SandboxChanges): boolean {
  return changes.total === 0 && memberLines(changes).length === 0;
}

function memberLines({ collections: { created, removed } }: SandboxChanges): string[] {
  return [
    ...created.map(({ name }) => `${name} exists only in the sandbox.`),
    ...removed.map(({ name }) => `${name} was removed with all its records.`),
  ];
}

interface DifferencesProps {
  readonly changes: SandboxChanges;
  readonly scope: Scope;
  readonly sandbox: string;
}

function Differences({ changes, scope, sandbox }: DifferencesProps) {
  const inConflict = new Set(scope === "made" ? changes.conflicts.map(keyOf) : []);
  const left = changes.total - changes.changes.length;
  return (
    <>
      {memberLines(changes).map((line) => (
        <p key={line}>{line}</p>
      ))}
      {changes.changes
        .filter((change) => !inConflict.has(keyOf(change)))
        .map((change) => (
          <ChangeCard key={keyOf(change)} change={change} states={["Main data", sandbox]} />
        ))}
      {left > 0 && <p class="soft">And {plural(left, "more record")}.</p>}
    </>
  );
}

function keyOf({ collection, id }: { readonly collection: string; readonly id: string | number | null }): string {
  return JSON.stringify([collection, id]);
}
