import type { OptionTable, Values } from "../../base/option.ts";
import { SERVE_OPTIONS } from "../options.ts";
import { POSTGRES_OPTIONS } from "../postgres-options.ts";
import { resolveWithServerFile, type WithWords } from "../with-server-file.ts";
import { FORMAT_OPTION } from "./format-option.ts";

/** The options of `standin check`. */
export const CHECK_OPTIONS = {
  source: { ...SERVE_OPTIONS.source, only: "flag", help: "Data to check; also accepted after check" },
  rules: { ...SERVE_OPTIONS.rules, help: "Rules to check the data against" },
  format: FORMAT_OPTION,
  config: SERVE_OPTIONS.config,
  id: SERVE_OPTIONS.id,
  collections: SERVE_OPTIONS.collections,
  ...POSTGRES_OPTIONS,
  quiet: { ...SERVE_OPTIONS.quiet, help: "Print only violations" },
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

export type CheckOptions = Values<typeof CHECK_OPTIONS>;

/** Resolves the options of `standin check`: the source comes from an argument or the server's config file. */
export function resolveCheckOptions(argv: readonly string[], folder: string): WithWords<CheckOptions> {
  return resolveWithServerFile(argv, folder, CHECK_OPTIONS);
}
