import { defineFeature } from "../feature.ts";

/** Refuses by name what needs a server of Node. */
export const hooksFeature = defineFeature({
  name: "hooks",
  options: {},
  reserves: ["__clock", "__jobs", "__deliveries", "__hooks"],
  off: { code: "OPTION_UNAVAILABLE", message: "Webhooks, the timeline and moves of the clock need a server of Node." },
  isOn: () => false,
  open: () => ({ name: "hooks" }),
});
