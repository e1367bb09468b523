import type { OptionTable } from "../../base/option.ts";
import { defineFeature } from "../feature.ts";
import { openUploads } from "./open-uploads.ts";
import { WITHOUT_FILES } from "./without-files.ts";

const OPTIONS = {
  files: {
    name: "files",
    type: "string",
    placeholder: "<folder>",
    help: "Folder for uploaded files (default: <data file>.files)",
  },
  maxFileBytes: {
    name: "max-file-bytes",
    type: "integer",
    placeholder: "<n>",
    default: 25_000_000,
    min: 1,
    help: "Largest file of an upload, in bytes",
  },
} as const satisfies OptionTable;

/** Stores what forms upload, and serves it. */
export const filesFeature = defineFeature({
  name: "files",
  options: OPTIONS,
  needsData: true,
  reserves: ["__files"],
  ...WITHOUT_FILES,
  open: openUploads,
});
