import type { FaultRule } from "../../api/faults.ts";

/** A fault that is often wanted. */
export interface Preset {
  readonly name: string;
  readonly about: string;
  readonly rules: readonly FaultRule[];
}

/** The fault that the builder begins with. */
export const NEW_FAULT: FaultRule = { fault: "status", status: 503 };

export const PRESETS: readonly Preset[] = [
  {
    name: "Slow 3G",
    about: "2 s late, then 50 kB/s",
    rules: [
      { fault: "latency", ms: 2000 },
      { fault: "slow-body", bytesPerSecond: 50_000 },
    ],
  },
  {
    name: "Long tail",
    about: "Some are far later",
    rules: [{ fault: "latency", ms: { median: 150, sigma: 1 } }],
  },
  {
    name: "5 % errors",
    about: "One in twenty gets 500",
    rules: [{ fault: "status", status: 500, probability: 0.05 }],
  },
  {
    name: "Maintenance",
    about: "503 for everything",
    rules: [{ fault: "status", status: 503, headers: { "Retry-After": "120" } }],
  },
  {
    name: "Rate limited",
    about: "429, retry after 5 s",
    rules: [{ fault: "status", status: 429, headers: { "Retry-After": "5" }, count: 3 }],
  },
  {
    name: "Signed out",
    about: "401 for everything",
    rules: [{ fault: "status", status: 401 }],
  },
  {
    name: "Lost reply",
    about: "Done, but not told",
    rules: [{ fault: "reset", method: ["POST", "PUT", "PATCH", "DELETE"], after: true, count: 1 }],
  },
  {
    name: "Flaky network",
    about: "One in five is reset",
    rules: [{ fault: "reset", probability: 0.2 }],
  },
  {
    name: "No response",
    about: "Until you give up",
    rules: [{ fault: "timeout" }],
  },
  {
    name: "Broken JSON",
    about: "Complete, but not valid",
    rules: [{ fault: "malformed-json" }],
  },
];
