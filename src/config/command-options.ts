import type { OptionTable } from "../base/option.ts";
import { SERVE_OPTIONS } from "./options.ts";
import { POSTGRES_OPTIONS } from "./postgres.ts";

/** The options of commands that read data as the server does. */
export const DATA_OPTIONS = {
  config: SERVE_OPTIONS.config,
  id: SERVE_OPTIONS.id,
  collections: SERVE_OPTIONS.collections,
  foreignKeySuffix: SERVE_OPTIONS.foreignKeySuffix,
  relations: SERVE_OPTIONS.relations,
  ...POSTGRES_OPTIONS,
} as const satisfies OptionTable;

/** `--format` of the commands that report to people and to programs. */
export const FORMAT_OPTION = {
  name: "format",
  type: "string",
  default: "text",
  choices: ["text", "json"],
  placeholder: "<format>",
  help: "Output format",
  only: "flag",
} as const;

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
