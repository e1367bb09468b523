import { StartError } from "../../errors.ts";
import type { OptionTable, Values } from "../../option.ts";
import { withDefaults } from "../defaults.ts";
import { parseFlags } from "../flags.ts";
import { SERVE_OPTIONS } from "../options.ts";

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
  force: { name: "force", type: "boolean", default: false, help: "Overwrite existing files", only: "flag" },
  quiet: { ...SERVE_OPTIONS.quiet, only: "flag" },
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

export type HostedExportOptions = Values<typeof HOSTED_EXPORT_OPTIONS>;

export function resolveHostedExportOptions(argv: readonly string[]): HostedExportOptions {
  const { values, positionals } = parseFlags(argv, HOSTED_EXPORT_OPTIONS);
  if (positionals.length > 0) {
    throw new StartError(`hosted export takes no arguments (${positionals.join(", ")}); name the data with --from.`);
  }
  return withDefaults(HOSTED_EXPORT_OPTIONS, values);
}
