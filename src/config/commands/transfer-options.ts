import type { OptionTable, Values } from "../../base/option.ts";
import { SERVE_OPTIONS } from "../options.ts";
import { POSTGRES_OPTIONS } from "../postgres-options.ts";
import { resolveWithServerFile, type WithWords } from "../with-server-file.ts";

/** The options of `standin import` and `standin export`. */
export const TRANSFER_OPTIONS = {
  config: SERVE_OPTIONS.config,
  id: SERVE_OPTIONS.id,
  collections: SERVE_OPTIONS.collections,
  foreignKeySuffix: SERVE_OPTIONS.foreignKeySuffix,
  ...POSTGRES_OPTIONS,
  force: {
    name: "force",
    type: "boolean",
    default: false,
    help: "Replace existing data",
    only: "flag",
  },
  quiet: SERVE_OPTIONS.quiet,
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

export type TransferOptions = Values<typeof TRANSFER_OPTIONS>;

/** Resolves the options of `standin import` and `standin export` from flags and the server's config file. */
export function resolveTransferOptions(argv: readonly string[], folder: string): WithWords<TransferOptions> {
  return resolveWithServerFile(argv, folder, TRANSFER_OPTIONS);
}
