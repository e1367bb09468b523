import type { OptionTable, Values } from "../../base/option.ts";
import { SERVE_OPTIONS } from "../options.ts";
import { POSTGRES_OPTIONS } from "../postgres-options.ts";
import { resolveWithServerFile, type WithWords } from "../with-server-file.ts";

/** The options of `standin rules`. */
export const RULES_OPTIONS = {
  source: { ...SERVE_OPTIONS.source, only: "flag", help: "Data to infer rules from; also accepted after rules" },
  ranges: {
    name: "ranges",
    type: "boolean",
    default: false,
    help: "Add the ranges of numbers, text lengths and list sizes",
    only: "flag",
  },
  config: SERVE_OPTIONS.config,
  id: SERVE_OPTIONS.id,
  collections: SERVE_OPTIONS.collections,
  foreignKeySuffix: SERVE_OPTIONS.foreignKeySuffix,
  ...POSTGRES_OPTIONS,
  quiet: { ...SERVE_OPTIONS.quiet, help: "Print only the rules" },
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

export type RulesOptions = Values<typeof RULES_OPTIONS>;

/** Resolves the options of `standin rules`: the source comes from an argument or the server's config file. */
export function resolveRulesOptions(argv: readonly string[], folder: string): WithWords<RulesOptions> {
  return resolveWithServerFile(argv, folder, RULES_OPTIONS);
}
