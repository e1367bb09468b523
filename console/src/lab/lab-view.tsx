import { servesData } from "../api/overview.ts";
import { sandboxList } from "../api/sandbox-list.ts";
import { useStore } from "../api/store.ts";
import { useOverview } from "../api/use-overview.ts";
import { ClockSection } from "./clock-section.tsx";
import { FaultSection } from "./faults/fault-section.tsx";
import { SandboxSection } from "./sandboxes/sandbox-section.tsx";
import { ScenarioSection } from "./scenarios/scenario-section.tsx";
import "./lab-view.css";

/** Everything a tester needs: private copies of the data, faults, and the clock and seed of the run. */
export function LabView() {
  const sandboxes = useStore(sandboxList);
  const overview = useOverview();
  const hasData = servesData(overview);
  const canPlay = hasData && overview.sandboxes !== null && !overview.readOnly;
  return (
    <div class="page lab">
      <div class="cluster page-head">
        <div>
          <h1>Test lab</h1>
          <p class="lead">{hasData ? "Private copies of the data, faults, and the clock" : "Faults"}</p>
        </div>
      </div>
      {hasData && <SandboxSection />}
      {canPlay && <ScenarioSection />}
      <FaultSection sandboxes={sandboxes.map(({ name }) => name)} />
      {hasData && <ClockSection />}
    </div>
  );
}
