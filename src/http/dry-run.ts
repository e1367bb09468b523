import { StandinError } from "../base/errors.ts";
import type { Call } from "./call.ts";
import type { Method, RouteRow } from "./contract.ts";
import { isDryRun, writePreferences } from "./routes/carry-out.ts";

/** Throws for `Prefer: tx=rollback` where a route would carry out the request all the same. */
export function refuseDryRun({ dryRuns = [] }: RouteRow, call: Call): void {
  if (call.isSafe || !isDryRun(writePreferences(call))) return;
  const { method, client } = call;
  if (dryRuns.includes(method as Method)) return;
  throw new StandinError(
    "DRY_RUN_UNSUPPORTED",
    `${method} ${client.path} has no dry run, so nothing was done. Send it without Prefer: tx=rollback to carry it out.`,
  );
}
