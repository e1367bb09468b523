import type { Overview } from "../api/overview.ts";
import { SandboxSection } from "./sandbox-section.tsx";

/** Everything a tester needs: private views of the data, and what is to go wrong. */
export function LabView({ overview }: { overview: Overview }) {
  return (
    <div class="page narrow">
      <div class="page-head">
        <h1>Test lab</h1>
      </div>
      <SandboxSection overview={overview} />
    </div>
  );
}
