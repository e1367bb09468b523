import { useEffect, useState } from "preact/hooks";
import {
  type ActiveFault,
  addFault,
  clearFaults,
  type FaultRule,
  faults,
  loadFaults,
  removeFault,
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
import { useReport } from "../../ui/use-report.ts";
import { faultDraft, openFaultDraft } from "../fault-draft.ts";
import { FaultBuilder } from "./fault-builder.tsx";
import { FaultList } from "./fault-list.tsx";
import { effectOf, scopeOf } from "./fault-words.ts";
import { PresetButtons } from "./preset-buttons.tsx";
import { NEW_FAULT } from "./presets.ts";
import { TestCodeDialog } from "./test-code-dialog.tsx";

/** The faults at work with their hits, and the builder for more. */
export function FaultSection({ sandboxes }: { sandboxes: readonly string[] }) {
  const { readOnly } = useOverview();
  const active = useStore(faults);
  const draft = useStore(faultDraft);
  const [list, refresh] = useFollowed("faults", loadFaults);
  const { said, setSaid, refusal, attempt } = useReport();
  const [removed, setRemoved] = useState<readonly FaultRule[]>([]);
  const [coded, setCoded] = useState<FaultRule>();
  const isLoaded = lastOf(list) !== undefined;
  // One draft per visit: the next one begins anew.
  useEffect(() => () => faultDraft.set(undefined), []);

  const remove = (gone: readonly ActiveFault[]): Promise<void> =>
    attempt(async () => {
      if (gone.length === 1) await removeFault(gone[0]!.id);
      else await clearFaults();
      setRemoved(gone.map(ruleOf));
      return gone.length === 1 ? `Removed ${nameOf(gone[0]!)}.` : `Removed ${plural(gone.length, "fault")}.`;
    });
  const turn = async (fault: ActiveFault): Promise<string> => {
    await turnFaults([fault], fault.off !== true);
    return `Switched ${nameOf(fault)} ${fault.off ? "on" : "off"}.`;
  };
  const restore = async (): Promise<string> => {
    await addFault(...removed);
    setRemoved([]);
    return `Added ${plural(removed.length, "fault")} again.`;
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
              <Button look="primary" icon="plus" onClick={() => openFaultDraft(NEW_FAULT)}>
                New fault
              </Button>
            </>
          )
        }
      />
      <div class="cluster said-line" role="status">
        {said !== "" && <span class="said">{said}</span>}
        {removed.length > 0 && (
          <Button look="small" icon="undo" onClick={() => attempt(restore)}>
            Add again
          </Button>
        )}
      </div>
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
          onCode={(fault) => setCoded(ruleOf(fault))}
        />
      )}
      {isLoaded && <Presets isReadOnly={readOnly} isFirst={active.length === 0} />}
      {draft && (
        <FaultBuilder
          key={JSON.stringify(draft)}
          sandboxes={sandboxes}
          rules={draft}
          onAdded={(rules) => {
            faultDraft.set(undefined);
            setRemoved([]);
            setSaid(`Added ${rules.map(nameOf).join(" and ")}.`);
          }}
          onClose={() => faultDraft.set(undefined)}
        />
      )}
      {coded && <TestCodeDialog rule={coded} onClose={() => setCoded(undefined)} />}
    </section>
  );
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
