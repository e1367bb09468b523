import type { OptionTable } from "../../base/option.ts";
import { defineFeature } from "../feature.ts";
import { openLive } from "./open-live.ts";

const OPTIONS = {
  traffic: {
    name: "traffic",
    type: "integer",
    default: 200,
    min: 0,
    max: 100_000,
    placeholder: "<count>",
    help: "Requests to keep in the traffic log; 0 turns it off",
  },
} as const satisfies OptionTable;

/** Shows changes and requests as they happen. */
export const liveFeature = defineFeature({
  name: "live",
  options: OPTIONS,
  open: openLive,
});
