import { StandinError } from "../../base/errors.ts";
import type { Service } from "../../http/contract.ts";

/** Refuses batches where code of the user's would have to see their requests. */
export function refuseUnseen({ steps, features }: Service): void {
  const interceptor = steps.find((step) => step.kind === "interceptor");
  if (interceptor) throw unavailable(`the interceptor ${interceptor.file}`);
  const feature = features.find(({ step }) => step?.isCustom && step.isActive);
  if (feature) throw unavailable("a plugin's step");
}

function unavailable(by: string): StandinError {
  return new StandinError(
    "BATCH_UNAVAILABLE",
    `Batches are not available here: ${by} could not see their requests. Send them one by one.`,
  );
}
