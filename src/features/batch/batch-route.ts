import type { Call } from "../../http/call.ts";
import type { Service } from "../../http/contract.ts";
import { createJudge } from "../../http/judge.ts";
import type { Reply } from "../../http/response/reply.ts";
import { writePreferences } from "../../http/routes/carry-out.ts";
import { readBatch } from "./read-batch.ts";
import { refuseUnseen } from "./refuse-unseen.ts";
import { runBatch } from "./run-batch.ts";

/** `POST /__batch`: several requests to the data that are one change. */
export async function respondToBatch(call: Call, service: Service): Promise<Reply> {
  refuseUnseen(service);
  const preferences = writePreferences(call);
  const requests = readBatch(await call.body());
  return runBatch(service, { requests, outer: call, preferences, judge: createJudge(service) });
}
