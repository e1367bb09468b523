import type { OptionTable } from "../../option.ts";
import { defineFeature } from "../feature.ts";
import type { Faults } from "./fault-rules.ts";

const OPTIONS = {
  faults: {
    name: "faults",
    type: "objects",
    help: "What is to go wrong on purpose: a list of rules",
    only: "file",
  },
} as const satisfies OptionTable;

/** Makes requests fail or take long on purpose. */
export const faultsFeature = defineFeature<typeof OPTIONS, Faults>({
  name: "faults",
  options: OPTIONS,
  reserves: ["__faults"],
  off: { code: "ROUTE_NOT_FOUND", message: "This server knows no faults." },
  async check({ faults = [] }, { place }) {
    if (faults.length > 0) (await import("./open-faults.ts")).readRules(faults, place);
  },
  async open(context) {
    return (await import("./open-faults.ts")).openFaults(context);
  },
});
