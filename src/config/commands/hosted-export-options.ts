import { StartError } from "../../base/errors.ts";
import type { OptionTable, Values } from "../../base/option.ts";
import { SERVE_OPTIONS } from "../options.ts";
import { resolveWithServerFile } from "../with-server-file.ts";

/** The options of `standin hosted export`. */
export const HOSTED_EXPORT_OPTIONS = {
  from: {
    name: "from",
    type: "string",
    default: "db.json",
    placeholder: "<source>",
    help: "Data to take examples from: a data file, folder, module or URL",
    only: "flag",
  },
  out: {
    name: "out",
    type: "string",
    default: ".",
    placeholder: "<folder>",
    help: "Folder to write the collection and the document to",
    only: "flag",
  },
  limit: {
    name: "limit",
    type: "integer",
    default: 20,
    min: 1,
    max: 1000,
    placeholder: "<count>",
    help: "Number of records per collection to use as examples",
    only: "flag",
  },
  config: { ...SERVE_OPTIONS.config, help: "Config file, for the names of primary keys" },
  id: SERVE_OPTIONS.id,
  collections: SERVE_OPTIONS.collections,
  force: { name: "force", type: "boolean", default: false, help: "Overwrite existing files", only: "flag" },
  quiet: { ...SERVE_OPTIONS.quiet, only: "flag" },
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

export type HostedExportOptions = Values<typeof HOSTED_EXPORT_OPTIONS>;

export function resolveHostedExportOptions(argv: readonly string[], folder: string): HostedExportOptions {
  const { options, words } = resolveWithServerFile(argv, folder, HOSTED_EXPORT_OPTIONS);
  if (words.length > 0) {
    throw new StartError(`hosted export takes no arguments (${words.join(", ")}); name the data with --from.`);
  }
  return options;
}
