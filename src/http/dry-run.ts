import { StandinError } from "../base/errors.ts";
import type { Method, RouteRow } from "./contract.ts";
import type { Exchange } from "./exchange.ts";
import { isDryRun, writePreferences } from "./routes/carry-out.ts";

/** Throws for `Prefer: tx=rollback` where a route would carry out the request all the same. */
export function refuseDryRun({ dryRuns = [] }: RouteRow, exchange: Exchange): void {
  if (exchange.isSafe || !isDryRun(writePreferences(exchange))) return;
  const { method, client } = exchange;
  if (dryRuns.includes(method as Method)) return;
  throw new StandinError(
    "DRY_RUN_UNSUPPORTED",
    `${method} ${client.path} has no dry run, so nothing was done. Send it without Prefer: tx=rollback to carry it out.`,
  );
}
