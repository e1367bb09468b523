import { defineFeature } from "../feature.ts";

/** Nothing: a small worker does not describe its data. */
export const descriptionFeature = defineFeature({
  name: "description",
  options: {},
  open: () => ({ name: "description" }),
});
