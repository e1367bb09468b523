import type { OptionTable } from "../../base/option.ts";
import { defineFeature } from "../feature.ts";
import { openFaults, preferredFaults, readGivenFaults } from "./open-faults.ts";

const OPTIONS = {
  faults: {
    name: "faults",
    type: "objects",
    help: "Fault rules: responses to delay or break on purpose",
    only: "file",
  },
} as const satisfies OptionTable;

/** Delays or breaks responses on purpose. */
export const faultsFeature = defineFeature({
  name: "faults",
  options: OPTIONS,
  reserves: ["__faults"],
  off: { code: "ROUTE_NOT_FOUND", message: "Faults are not available on this server." },
  check({ faults = [] }, { place }) {
    if (faults.length > 0) readGivenFaults(faults, place);
  },
  open: openFaults,
});

/** `Prefer: code=503` alone, for a server without rules. */
export const preferredFaultsFeature = defineFeature({
  name: "preferred faults",
  options: {},
  open: () => ({ name: "preferred faults", step: preferredFaults() }),
});
