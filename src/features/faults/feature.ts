import type { OptionTable } from "../../base/option.ts";
import { defineFeature } from "../feature.ts";

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
  async check({ faults = [] }, { place }) {
    if (faults.length > 0) (await import("./open-faults.ts")).readGivenFaults(faults, place);
  },
  async open(context) {
    return (await import("./open-faults.ts")).openFaults(context);
  },
});

/** `Prefer: code=503` alone, for a server without rules. */
export const preferredFaultsFeature = defineFeature({
  name: "preferred faults",
  options: {},
  async open() {
    return { name: "preferred faults", step: (await import("./open-faults.ts")).preferredFaults() };
  },
});
