import { askJson } from "../../api/ask.ts";
import { SANDBOX_PREFIX } from "../../api/base.ts";
import { loadFaults } from "../../api/faults.ts";
import type { Json } from "../../api/json.ts";
import type { Sandbox } from "../../api/sandbox.ts";
import { snapshotPath } from "../../api/snapshot.ts";
import { rulesIn, type ScenarioStep } from "./scenario.ts";

/** Puts a sandbox into the state of a step: its data first, then the faults in place of those before. */
export async function playStep({ name }: Sandbox, step: ScenarioStep): Promise<void> {
  const place = `${SANDBOX_PREFIX}${encodeURIComponent(name)}`;
  const faults = `${place}/__faults`;
  await askJson("DELETE", faults, { isMain: true });
  if (step.snapshot !== "") await askJson("PUT", `${place}${snapshotPath({ id: step.snapshot })}`, { isMain: true });
  const rules = rulesIn(step) as unknown as Json[];
  if (rules.length > 0) await askJson("POST", faults, { isMain: true, body: rules });
  await loadFaults();
}
