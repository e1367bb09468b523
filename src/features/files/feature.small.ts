import { defineFeature } from "../feature.ts";

/** Bodies that are no JSON are refused. */
export const filesFeature = defineFeature({
  name: "files",
  options: {},
  isOn: () => false,
  open: () => ({ name: "files" }),
});
