import { ask } from "../api/ask.ts";
import { withoutBase } from "../api/base.ts";
import type { Json } from "../api/json.ts";
import { noteChange } from "../api/live-data.ts";
import { Refusal } from "../api/refusal.ts";
import { Conflict } from "./conflict.ts";
import { madeBy, type SentWrite } from "./sent-write.ts";

/** A request of a batch, and its response. */
export type BatchRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: Json;
};

export interface BatchResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
}

/** More requests than this are refused. */
export const MAX_REQUESTS = 1000;

/** Errors of requests that find other data than they expect. */
const CHANGED_SINCE = new Set(["PATCH_FAILED", "RECORD_NOT_FOUND", "ID_TAKEN"]);

/** Sends several requests that are one change: all of them happen, or none. */
export async function sendBatch(
  requests: readonly BatchRequest[],
): Promise<{ responses: readonly BatchResponse[]; write: SentWrite }> {
  const { text, write } = await send(batchOf(requests));
  const { responses } = JSON.parse(text) as { responses: readonly BatchResponse[] };
  return { responses, write };
}

/**
 * Sends requests that put data back, a single one by itself. Throws `Conflict` if the data has changed again since. `place`
 * is in front of their paths: the sandbox that they are for, if it is not the one of the page.
 */
export async function sendReverting(
  requests: readonly BatchRequest[],
  place = "",
): Promise<{ text: string; write: SentWrite }> {
  const [only, ...more] = requests;
  try {
    const sent = await send(only && more.length === 0 ? only : batchOf(requests), place);
    noteChange();
    return sent;
  } catch (thrown) {
    throw thrown instanceof Refusal && CHANGED_SINCE.has(thrown.code) ? new Conflict(undefined) : thrown;
  }
}

function batchOf(requests: readonly BatchRequest[]): BatchRequest {
  return { method: "POST", path: "/__batch", body: { requests: [...requests] } };
}

async function send({ method, path, headers = {}, body }: BatchRequest, place = "") {
  const address = `${place}${path}`;
  const answer = await ask(method, address, body === undefined ? { headers } : { headers, body });
  const { text, status, durationMs } = answer;
  const sent = { method, path: withoutBase(address), headers: Object.entries(headers), body };
  const write: SentWrite = { ...sent, status, durationMs, made: madeBy(answer, place) };
  return { text, write };
}
