import type { OptionTable, Values } from "../../base/option.ts";
import { loadConfigFile } from "../config-file.ts";
import { withDefaults } from "../defaults.ts";
import { parseFlags } from "../flags.ts";
import { SERVE_OPTIONS } from "../options.ts";
import type { WithWords } from "../with-server-file.ts";
import { FORMAT_OPTION } from "./format-option.ts";

/** The options of `standin bind`. */
export const BIND_OPTIONS = {
  format: FORMAT_OPTION,
  json: { name: "json", type: "boolean", default: false, help: "Short for --format json", only: "flag" },
  source: { name: "source", type: "string", help: "Document to read; the first argument", only: "file" },
  bind: { name: "bind", type: "object", help: "Corrections, by collection", only: "file" },
  allowOutsideRefs: SERVE_OPTIONS.allowOutsideRefs,
  config: SERVE_OPTIONS.config,
  quiet: { ...SERVE_OPTIONS.quiet, help: "Print only the collections, not the operations that are not bound" },
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

export interface ResolvedBind extends WithWords<Values<typeof BIND_OPTIONS>> {
  readonly configFile: string | undefined;
}

/** Resolves the options of `standin bind`: the document and the corrections may stand in the server's config file. */
export function resolveBindOptions(argv: readonly string[], folder: string): ResolvedBind {
  const { values, positionals } = parseFlags(argv, BIND_OPTIONS);
  const { file, values: configured } = values.help
    ? { file: undefined, values: {} }
    : loadConfigFile(folder, values.config as string | undefined, BIND_OPTIONS);
  return { options: withDefaults(BIND_OPTIONS, { ...configured, ...values }), words: positionals, configFile: file };
}
