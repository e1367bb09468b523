import { defineFeature } from "../feature.ts";

/** Stores what forms upload, and serves it. */
export const filesFeature = defineFeature({
  name: "files",
  options: {},
  needsData: true,
  reserves: ["__files"],
  async open() {
    return (await import("./open-uploads.ts")).openUploads();
  },
});
