import type { OptionTable } from "../../base/option.ts";
import { defineFeature } from "../feature.ts";
import { openSandboxes } from "./open-sandboxes.ts";
import { refuseSandbox, SANDBOXES_OFF, sandboxEntrance } from "./requested-sandbox.ts";

export { SANDBOX_HEADER, SANDBOX_PREFIX } from "./requested-sandbox.ts";

const OPTIONS = {
  sandboxes: {
    name: "sandboxes",
    type: "integer",
    default: 200,
    min: 0,
    placeholder: "<count>",
    help: "Maximum number of sandboxes; 0 turns them off",
  },
  sandboxExpiry: {
    name: "sandboxExpiry",
    type: "integer",
    default: 1800,
    min: 1,
    max: 2_000_000,
    placeholder: "<seconds>",
    help: "Remove a sandbox after this many seconds without use",
    inPrograms: false,
  },
  sandboxMegabytes: {
    name: "sandboxMegabytes",
    type: "integer",
    default: 256,
    min: 1,
    placeholder: "<MB>",
    help: "Memory limit for all sandboxes together",
    inPrograms: false,
  },
} as const satisfies OptionTable;

/** Private, writable views of the data, for tests that share a server. */
export const sandboxesFeature = defineFeature({
  name: "sandboxes",
  options: OPTIONS,
  needsData: true,
  reserves: ["__sandboxes", "__sandbox"],
  off: SANDBOXES_OFF,
  // A request that names a sandbox must never be served from the shared data, not even while there are none.
  guard: { name: "no sandboxes", entrance: sandboxEntrance, storeFor: refuseSandbox },
  isOn: ({ sandboxes }) => sandboxes > 0,
  open: openSandboxes,
});
