import { useEffect, useState } from "preact/hooks";
import {
  type ActiveFault,
  addFault,
  type FaultRule,
  faults,
  loadFaults,
  removeFaults,
  ruleOf,
  turnFaults,
} from "../../api/faults.ts";
import { lastOf } from "../../api/resource.ts";
import { useStore } from "../../api/store.ts";
import { useOverview } from "../../api/use-overview.ts";
import { useFollowed } from "../../api/use-resource.ts";
import { Button } from "../../ui/button.tsx";
import { plural } from "../../ui/format.ts";
import { Empty, NotReady, Problem } from "../../ui/notice.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import type { Said } from "../../ui/said.ts";
import { useReport } from "../../ui/use-report.ts";
import { faultDraft, openFaultDraft } from "../fault-draft.ts";
import { FaultBuilder } from "./fault-builder.tsx";
import { FaultList } from "./fault-list.tsx";
import { effectOf, scopeOf } from "./fault-words.ts";
import { PresetButtons } from "./preset-buttons.tsx";
import { NEW_FAULT } from "./presets.ts";
import { SequenceDialog } from "./sequence-dialog.tsx";
import { TestCodeDialog } from "./test-code-dialog.tsx";

/** The faults at work with their hits, and the builder for more. */
export function FaultSection({ sandboxes }: { sandboxes: readonly string[] }) {
  const { readOnly } = useOverview();
  const active = useStore(faults);
  const draft = useStore(faultDraft);
  const [list, refresh] = useFollowed("faults", loadFaults);
  const { refusal, attempt } = useReport();
  /** The one that the builder replaces. */
  const [edited, setEdited] = useState<ActiveFault>();
  const [coded, setCoded] = useState<FaultRule>();
  const [isSequencing, setSequencing] = useState(false);
  const isLoaded = lastOf(list) !== undefined;
  // One draft per visit: the next one begins anew.
  useEffect(() => () => faultDraft.set(undefined), []);

  const remove = (gone: readonly ActiveFault[]): Promise<void> =>
    attempt(async () => {
      await removeFaults(gone);
      const text = gone.length === 1 ? `Removed ${nameOf(gone[0]!)}.` : `Removed ${plural(gone.length, "fault")}.`;
      return { text, undo: () => addFault(...gone.map(ruleOf)) };
    });
  const turn = async (fault: ActiveFault): Promise<Said> => {
    await turnFaults([fault], fault.off !== true);
    const undo = (): Promise<void> => turnFaults([fault], fault.off === true);
    return { text: `Switched ${nameOf(fault)} ${fault.off ? "on" : "off"}.`, undo };
  };

  const closeBuilder = (): void => {
    faultDraft.set(undefined);
    setEdited(undefined);
  };
  const taken = async (added: readonly ActiveFault[]): Promise<Said> => {
    const names = added.map(nameOf).join(" and ");
    if (!edited) return { text: `Added ${names}.`, undo: () => removeFaults(added) };
    await removeFaults([edited]);
    return { text: `Changed to ${names}.`, undo: () => replaceFaults(added, edited) };
  };

  return (
    <section aria-labelledby="lab-faults" class="column lab-section">
      <PageHead
        id="lab-faults"
        title="Faults"
        lead="Let responses be late, broken or missing, and see what your client does."
        actions={
          isLoaded &&
          !readOnly && (
            <>
              {active.length > 1 && <Button onClick={() => remove(active)}>Remove all</Button>}
              <Button onClick={() => setSequencing(true)}>New sequence</Button>
              <Button look="primary" icon="plus" onClick={() => openFaultDraft(NEW_FAULT)}>
                New fault
              </Button>
            </>
          )
        }
      />
      {refusal && <Problem refusal={refusal} />}
      {list.kind === "off" && (
        <Empty icon="warning" title="Faults are not available">
          <p>{list.refusal.message}</p>
        </Empty>
      )}
      <NotReady resource={list} what="the faults" onRetry={refresh} />
      {isLoaded && active.length > 0 && (
        <FaultList
          faults={active}
          isReadOnly={readOnly}
          onTurn={(fault) => attempt(() => turn(fault))}
          onRemove={(fault) => remove([fault])}
          onEdit={(fault) => {
            setEdited(fault);
            faultDraft.set([ruleOf(fault)]);
          }}
          onRearm={(fault) => attempt(() => rearm(fault))}
          onCode={(fault) => setCoded(ruleOf(fault))}
        />
      )}
      {isLoaded && <Presets isReadOnly={readOnly} isFirst={active.length === 0} />}
      {draft && (
        <FaultBuilder
          key={JSON.stringify(draft)}
          sandboxes={sandboxes}
          rules={draft}
          isEdited={edited !== undefined}
          onAdded={(added) => attempt(() => taken(added)).then(closeBuilder)}
          onClose={closeBuilder}
        />
      )}
      {isSequencing && (
        <SequenceDialog
          sandboxes={sandboxes}
          onAdded={(added) => attempt(() => taken(added)).then(() => setSequencing(false))}
          onClose={() => setSequencing(false)}
        />
      )}
      {coded && <TestCodeDialog rule={coded} onClose={() => setCoded(undefined)} />}
    </section>
  );
}

async function replaceFaults(gone: readonly ActiveFault[], fault: ActiveFault): Promise<void> {
  await removeFaults(gone);
  await addFault(ruleOf(fault));
}

/** A new fault of the same rule: it counts from the beginning. */
async function rearm(fault: ActiveFault): Promise<Said> {
  await replaceFaults([fault], fault);
  return { text: `${nameOf(fault)} can happen again.` };
}

function Presets({ isReadOnly, isFirst }: { isReadOnly: boolean; isFirst: boolean }) {
  if (isReadOnly) {
    return (
      <p class="soft">
        This server is read-only, so faults cannot be added. Start it without <code>--read-only</code> to add some.
      </p>
    );
  }
  return (
    <div class="preset-place">
      <h3>{isFirst ? "Nothing goes wrong yet. Start with a preset:" : "Presets"}</h3>
      <PresetButtons look={isFirst ? "cards" : "chips"} onChoose={({ rules }) => openFaultDraft(...rules)} />
    </div>
  );
}

function nameOf(rule: FaultRule): string {
  return `“${effectOf(rule)}” for ${scopeOf(rule).replace(/^All/, "all")}`;
}
