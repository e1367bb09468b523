import type { OptionTable, Values } from "../../base/option.ts";
import { SERVE_OPTIONS } from "../options.ts";
import { POSTGRES_OPTIONS } from "../postgres-options.ts";
import { resolveWithServerFile, type WithWords } from "../with-server-file.ts";

/** The options of `standin explain`. */
export const EXPLAIN_OPTIONS = {
  source: { ...SERVE_OPTIONS.source, only: "flag", help: "Data to query; also accepted after the query" },
  config: SERVE_OPTIONS.config,
  id: SERVE_OPTIONS.id,
  collections: SERVE_OPTIONS.collections,
  foreignKeySuffix: SERVE_OPTIONS.foreignKeySuffix,
  ...POSTGRES_OPTIONS,
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

export type ExplainOptions = Values<typeof EXPLAIN_OPTIONS>;

/** Resolves the options of `standin explain`: the source comes from a flag or the server's config file. */
export function resolveExplainOptions(argv: readonly string[], folder: string): WithWords<ExplainOptions> {
  return resolveWithServerFile(argv, folder, EXPLAIN_OPTIONS);
}
