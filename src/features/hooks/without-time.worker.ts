import { hasTime, NEEDS_TIME } from "./open-hooks.worker.ts";

/** The door of the feature while the worker has no code for it. */
export const WITHOUT_TIME = {
  off: { code: "OPTION_UNAVAILABLE", message: NEEDS_TIME },
  isOn: ({ timeline }: { readonly timeline?: unknown }) => timeline !== undefined || hasTime(),
} as const;
