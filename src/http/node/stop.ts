import { availableParallelism, loadavg } from "node:os";
import type { Waits } from "../../base/wait.ts";
import type { OpenFeature } from "../contract.ts";
import type { Listening } from "./server.ts";

/** How long no request may come before connections that are kept open are closed. */
const QUIET_MS = {
  /** Long enough for a busy client to use each of its connections once more. */
  process: 100,
  /** Others go on with the same data: a balancer gets the time to notice. */
  shared: 500,
  /** The clients of a program are in it, as a rule, and their requests are there at once. */
  program: 20,
};

/** The highest factor by which the quiet time grows on a busy machine. */
const MAX_FACTOR = 5;

/** How long no request may come. Clients in other processes get more time while each processor has several to run. */
export function quietMs(server: keyof typeof QUIET_MS, [load = 0]: readonly number[] = loadavg()): number {
  const factor = server === "program" ? 1 : load / availableParallelism() / 2;
  return QUIET_MS[server] * Math.min(Math.max(1, factor), MAX_FACTOR);
}

/** The parts that would hold up a stop. */
interface Stopping {
  readonly waits: Waits;
  readonly features?: readonly OpenFeature[];
}

/**
 * The one way to stop serving. Delays end, and what they held back is carried out at once; streams end; every request that
 * has reached us is responded to, with `Connection: close`; then the connections are closed.
 */
export async function stopServing(
  services: readonly Stopping[],
  listening: Listening,
  server: keyof typeof QUIET_MS,
): Promise<void> {
  for (const { waits, features = [] } of services) {
    waits.stop();
    for (const feature of features) feature.stop?.();
  }
  await listening.close(quietMs(server));
}
