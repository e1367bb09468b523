import { StandinError } from "../../base/errors.ts";
import { type Json, toJson } from "../../base/json/json.ts";
import type { Service } from "../../http/contract.ts";
import { LocalCall } from "../../http/local-call.ts";
import { isTooDeep, tooDeepMessage } from "../../store/nesting.ts";
import { readBatch } from "./read-batch.ts";
import { runBatch } from "./run-batch.ts";
import type { BatchRequest, BatchResponse } from "./types.ts";

/** Runs a batch for a program: without layers and interceptors, as its other writes. `url` is the start of all addresses. */
export async function batchOf(service: Service, url: string, given: readonly BatchRequest[]): Promise<BatchResponse[]> {
  if (isTooDeep(toJson(given))) throw new StandinError("BODY_TOO_DEEP", tooDeepMessage(given, "requests"));
  const requests = readBatch({ requests: JSON.parse(JSON.stringify(given)) as Json });
  const { origin, host, pathname } = new URL(url);
  const outer = LocalCall.at(origin, { method: "POST", path: "/__batch", headers: { host } }, service.settings);
  outer.prefix = pathname.replace(/\/$/, "");
  const { json = "" } = await runBatch(service, { requests, outer, preferences: undefined, judge: undefined });
  return (JSON.parse(json) as { responses: BatchResponse[] }).responses;
}
