import type { Overview } from "../api/overview.ts";
import { useStore } from "../ui/store.ts";
import { ClockSection } from "./clock-section.tsx";
import { FaultSection } from "./faults/fault-section.tsx";
import { sandboxList } from "./sandboxes/sandbox-list.ts";
import { SandboxSection } from "./sandboxes/sandbox-section.tsx";
import "../styles/lab.css";

/** Everything a tester needs: private copies of the data, faults, and the clock and seed of the run. */
export function LabView({ overview }: { overview: Overview }) {
  const sandboxes = useStore(sandboxList);
  return (
    <div class="page lab">
      <div class="page-head">
        <h1>Test lab</h1>
      </div>
      <SandboxSection overview={overview} />
      <FaultSection overview={overview} sandboxes={sandboxes.map(({ name }) => name)} />
      <ClockSection overview={overview} />
    </div>
  );
}
