import { defineFeature } from "../feature.ts";

/** Records a real API. */
export const recordFeature = defineFeature({
  name: "record",
  options: {},
  isOn: () => false,
  open: () => ({ name: "record" }),
});
