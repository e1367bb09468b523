import type { FaultRule } from "../api/faults.ts";
import { createStore } from "../api/store.ts";
import { go } from "../routes/use-route.ts";

/** The rules in the builder of the test lab, which is open while there are any. */
export const faultDraft = createStore<readonly FaultRule[] | undefined>(undefined);

/** Hands a fault over to the builder of the test lab and goes there. Several rules are several effects of one fault. */
export function openFaultDraft(...rules: readonly FaultRule[]): void {
  faultDraft.set(rules);
  go({ view: "lab" });
}
