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
import { asRefusal, type Refusal } from "../../api/refusal.ts";
import { useStore } from "../../api/store.ts";
import { useOverview } from "../../api/use-overview.ts";
import { useRefresh } from "../../api/use-refresh.ts";
import { plural } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";
import { Empty, Failure, Loading, Problem } from "../../ui/notice.tsx";
import { faultDraft, openFaultDraft } from "../fault-draft.ts";
import { FaultBuilder } from "./fault-builder.tsx";
import { FaultList } from "./fault-list.tsx";
import { effectOf, scopeOf } from "./fault-words.ts";
import { PresetButtons } from "./preset-buttons.tsx";
import { NEW_FAULT } from "./presets.ts";
import { TestCodeDialog } from "./test-code-dialog.tsx";

interface FaultSectionProps {
  readonly sandboxes: readonly string[];
}

/** The faults at work with their hits, and the builder for more. */
export function FaultSection({ sandboxes }: FaultSectionProps) {
  const overview = useOverview();
  const active = useStore(faults);
  const draft = useStore(faultDraft);
  const { isLoaded, refusal: notLoaded, refresh } = useRefresh("faults", loadFaults);
  const [refusal, setRefusal] = useState<Refusal>();
  const [said, setSaid] = useState("");
  const [removed, setRemoved] = useState<readonly FaultRule[]>([]);
  const [coded, setCoded] = useState<FaultRule>();
  // One draft per visit: the next one begins anew.
  useEffect(() => () => faultDraft.set(undefined), []);

  const isOff = notLoaded?.code === "ROUTE_NOT_FOUND";
  const attempt = async (work: () => Promise<string>): Promise<void> => {
    setRefusal(undefined);
    try {
      setSaid(await work());
    } catch (thrown) {
      setRefusal(asRefusal(thrown));
    }
  };
  const remove = (gone: readonly ActiveFault[]): Promise<void> =>
    attempt(async () => {
      if (gone.length === 1) await removeFault(gone[0]!.id);
      else await clearFaults();
      setRemoved(gone.map(ruleOf));
      return gone.length === 1 ? `Removed ${nameOf(gone[0]!)}.` : `Removed ${plural(gone.length, "fault")}.`;
    });
  const turn = (fault: ActiveFault): Promise<void> =>
    attempt(async () => {
      await turnFaults([fault], fault.off !== true);
      return `Switched ${nameOf(fault)} ${fault.off ? "on" : "off"}.`;
    });
  const restore = (): Promise<void> =>
    attempt(async () => {
      await addFault(...removed);
      setRemoved([]);
      return `Added ${plural(removed.length, "fault")} again.`;
    });

  return (
    <section aria-labelledby="lab-faults" class="lab-section">
      <div class="page-head">
        <div>
          <h2 id="lab-faults">Faults</h2>
          <p class="lead">Let responses be late, broken or missing, and see what your client does.</p>
        </div>
        {isLoaded && !isOff && !overview.readOnly && (
          <div class="actions">
            {active.length > 1 && (
              <button type="button" class="button" onClick={() => void remove(active)}>
                Remove all
              </button>
            )}
            <button type="button" class="button primary" onClick={() => openFaultDraft(NEW_FAULT)}>
              <Icon name="plus" />
              New fault
            </button>
          </div>
        )}
      </div>
      <div class="said-line" role="status">
        {said !== "" && <span class="said">{said}</span>}
        {removed.length > 0 && (
          <button type="button" class="button small" onClick={() => void restore()}>
            <Icon name="undo" />
            Add again
          </button>
        )}
      </div>
      {refusal && <Problem refusal={refusal} />}
      {isOff && (
        <Empty icon="warning" title="Faults are not available">
          <p>{notLoaded.message}</p>
        </Empty>
      )}
      {!isLoaded && notLoaded && !isOff && <Failure refusal={notLoaded} onRetry={() => void refresh()} />}
      {!isLoaded && !notLoaded && <Loading what="the faults" />}
      {isLoaded && notLoaded && !isOff && notLoaded.status > 0 && <Problem refusal={notLoaded} />}
      {isLoaded && active.length > 0 && (
        <FaultList
          faults={active}
          isReadOnly={overview.readOnly}
          onTurn={(fault) => void turn(fault)}
          onRemove={(fault) => void remove([fault])}
          onCode={(fault) => setCoded(ruleOf(fault))}
        />
      )}
      {isLoaded && overview.readOnly && (
        <p class="soft">
          This server is read-only, so faults cannot be added. Start it without <code>--read-only</code> to add some.
        </p>
      )}
      {isLoaded && !overview.readOnly && (
        <div class="preset-place">
          <h3>{active.length === 0 ? "Nothing goes wrong yet. Start with a preset:" : "Presets"}</h3>
          <PresetButtons
            look={active.length === 0 ? "cards" : "chips"}
            onChoose={({ rules }) => openFaultDraft(...rules)}
          />
        </div>
      )}
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

function nameOf(rule: FaultRule): string {
  return `“${effectOf(rule)}” for ${scopeOf(rule).replace(/^All/, "all")}`;
}
