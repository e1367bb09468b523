import { Faults } from "../features/faults/fault-rules.ts";
import type { Live } from "../features/live/live.ts";
import { Sandboxes, type SandboxLimits } from "../features/sandboxes/sandboxes.ts";
import type { Store } from "../store/store.ts";

export interface Isolation {
  /** Undefined when none may be made. */
  readonly sandboxes: Sandboxes | undefined;
  readonly faults: Faults;
}

/** What keeps tests apart that share a server. With a sandbox go its faults and its streams. */
export function createIsolation(
  store: Store,
  live: Live | undefined,
  limits: Partial<SandboxLimits>,
  seed: number | undefined,
): Isolation {
  const faults = new Faults(seed);
  if (limits.count === 0) return { sandboxes: undefined, faults };
  const sandboxes = new Sandboxes(store, limits);
  sandboxes.subscribe((event, sandbox) => {
    if (event === "created") {
      live?.changesOf(sandbox.store);
      return;
    }
    faults.clear(sandbox.name);
    live?.forget(sandbox.store);
  });
  return { sandboxes, faults };
}
