import type { FaultRule } from "../api/faults.ts";
import type { Entry } from "./entry.ts";

/** A response that took this long is slow: the fault repeats that. */
const SLOW_MS = 1_000;
const SANDBOX_PREFIX = /^\/__sandbox\/[^/]+/;

/** A fault for requests like this one: the same failure again or, of a success, a 503. */
export function faultFromEntry({ method, url, sandbox, status, durationMs }: Entry): FaultRule {
  const path = url.replace(SANDBOX_PREFIX, "").replace(/\?.*$/s, "") || "/";
  const matching = { method, path, ...(sandbox !== undefined && { sandbox }) };
  if (status === 0) return { fault: "reset", ...matching };
  if (status >= 400) return { fault: "status", status, ...matching };
  if (durationMs >= SLOW_MS) return { fault: "latency", ms: Math.round(durationMs), ...matching };
  return { fault: "status", status: 503, ...matching };
}
