import type { OptionTable } from "../base/option.ts";
import { DATA_OPTIONS } from "../config/command-options.ts";
import { SERVE_OPTIONS } from "../config/options.ts";

/** The options of `standin import` and `standin export`. */
export const TRANSFER_OPTIONS = {
  ...DATA_OPTIONS,
  overwrite: {
    name: "overwrite",
    aliases: ["force"],
    type: "boolean",
    default: false,
    help: "Replace existing data",
    only: "flag",
  },
  quiet: SERVE_OPTIONS.quiet,
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;
