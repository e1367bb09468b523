import { StandinError } from "../../base/errors.ts";
import type { Call } from "../../http/call.ts";
import { wholeNumber } from "../../query/window.ts";

const MAX_WAIT_MS = 60_000;

/** `wait=2000`: how long to wait for what is not there yet, in milliseconds. */
export function waitMs({ parameters }: Call): number {
  const ms = wholeNumber(parameters, "wait") ?? 0;
  if (ms >= 0 && ms <= MAX_WAIT_MS) return ms;
  throw new StandinError("QUERY_INVALID", `wait=${ms}: wait must be from 0 to ${MAX_WAIT_MS} milliseconds.`);
}
