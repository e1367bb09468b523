import { StandinError } from "../../base/errors.ts";
import type { OptionTable } from "../../base/option.ts";
import { defineFeature } from "../feature.ts";

const OPTIONS = {
  files: {
    name: "files",
    type: "string",
    placeholder: "<folder>",
    help: "Folder for uploaded files (default: the data file's name with .files; memory where nothing is saved)",
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

const OFF =
  "Files of data in PostgreSQL need a folder that all of its servers share. Start with --files <folder>, or send JSON.";

/** Stores what forms upload, and serves it. */
export const filesFeature = defineFeature({
  name: "files",
  options: OPTIONS,
  needsData: true,
  reserves: ["__files"],
  off: { code: "FILES_OFF", message: OFF },
  guard: { name: "no files", readBody: refuseForm },
  isOn: ({ files }, { isShared }) => !isShared || files !== undefined,
  async open(context) {
    return (await import("./open-uploads.ts")).openUploads(context);
  },
});

function refuseForm({ headers }: { readonly headers: { readonly "content-type"?: string | undefined } }): undefined {
  if (!/^multipart\/form-data\b/i.test(headers["content-type"] ?? "")) return undefined;
  throw new StandinError("BODY_TYPE_UNSUPPORTED", OFF);
}
