import { readBody } from "../../http/body/body.ts";
import type { Service } from "../../http/contract.ts";
import type { Exchange } from "../../http/exchange.ts";
import { createJudge } from "../../http/judge.ts";
import type { Reply } from "../../http/response/reply.ts";
import { writePreferences } from "../../http/routes/carry-out.ts";
import { readBatch } from "./read-batch.ts";
import { refuseUnseen } from "./refuse-unseen.ts";
import { runBatch } from "./run-batch.ts";

/** `POST /__batch`: several requests to the data that are one change. */
export async function respondToBatch(exchange: Exchange, service: Service): Promise<Reply> {
  refuseUnseen(service);
  const preferences = writePreferences(exchange);
  const requests = readBatch(await readBody(exchange.req, service.settings.maxBodyBytes));
  return runBatch(service, { requests, outer: exchange, preferences, judge: createJudge(service) });
}
