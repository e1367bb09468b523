import { ask } from "../../api/ask.ts";
import type { Json } from "../../api/json.ts";
import type { SentWrite } from "../writes.ts";
import type { BatchRequest, BatchResponse } from "./bulk-requests.ts";

/** More requests than this are refused. */
export const MAX_REQUESTS = 1000;

/** Sends several requests that are one change: all of them happen, or none. */
export async function sendBatch(
  requests: readonly BatchRequest[],
): Promise<{ responses: readonly BatchResponse[]; write: SentWrite }> {
  const method = "POST";
  const path = "/__batch";
  const body: Json = { requests: [...requests] };
  const { text, status, durationMs } = await ask(method, path, { body });
  const { responses } = JSON.parse(text) as { responses: readonly BatchResponse[] };
  return { responses, write: { method, path, headers: [], body, status, durationMs } };
}
