import { StandinError } from "../../base/errors.ts";
import type { Call } from "../../http/call.ts";
import type { Service } from "../../http/contract.ts";
import { createJudge } from "../../http/judge.ts";
import type { Reply } from "../../http/response/reply.ts";
import { writePreferences } from "../../http/routes/carry-out.ts";
import { readBatch } from "./read-batch.ts";
import { runBatch } from "./run-batch.ts";

/** `POST /__batch`: several requests to the data that are one change. */
export async function respondToBatch(call: Call, service: Service): Promise<Reply> {
  refuseUnseen(service);
  const preferences = writePreferences(call);
  const requests = readBatch(await call.body());
  return runBatch(service, { requests, outer: call, preferences, judge: createJudge(service) });
}

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
