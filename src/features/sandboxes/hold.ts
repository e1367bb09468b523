import type { SandboxHead, SandboxLog } from "./sandbox-log.ts";
import type { Promotion } from "./types.ts";

/** Longer than any promotion: a process that ends during one must not hold a sandbox for good. */
const HOLD_MS = 60_000;

/** Whether a promotion keeps writes to the sandbox waiting. */
export function isOnHold({ head }: SandboxLog): boolean {
  return (head.heldUntil ?? 0) > Date.now();
}

/** Whether a write must wait. Of those during a promotion, only the one that continues from the main data need not. */
export function mustWait(log: SandboxLog, { heldUntil, rebased }: SandboxHead): boolean {
  return isOnHold(log) && heldUntil === log.head.heldUntil && rebased === log.head.rebased;
}

/** Ends a hold; with the promotion, if it was made. */
export type Release = (made: Promotion | undefined) => Promise<void>;

/** Holds a sandbox for a promotion. Rejects if another process has written to it meanwhile. */
export async function hold(log: SandboxLog): Promise<Release> {
  await log.store({ heldUntil: Date.now() + HOLD_MS }, new Map());
  return async (made) => {
    const isRenumbered = made !== undefined && made.renumbered.length > 0;
    const renumbered = isRenumbered ? { renumbered: log.head.stored + 1 } : {};
    await log.store({ heldUntil: undefined, ...renumbered }, new Map());
  };
}
