import type { OptionTable, Values } from "../base/option.ts";
import { loadConfigFile } from "./config-file.ts";
import { withDefaults } from "./defaults.ts";
import { parseFlags } from "./flags.ts";
import { SERVE_OPTIONS } from "./options.ts";
import type { Resolved } from "./resolve.ts";

/** The options of a command, and the words of its command line that belong to no flag. */
export interface WithWords<O> extends Resolved<O> {
  readonly words: readonly string[];
}

const UNREAD = { file: undefined, values: {}, warnings: [] };

/**
 * Resolves the options of a command from its flags, then from the config file of the server if one of the flags is
 * `--config`. Help must work even with an invalid config file.
 */
export function resolveWithServerFile<T extends OptionTable>(
  argv: readonly string[],
  folder: string,
  table: T,
): WithWords<Values<T>> {
  const { values, positionals } = parseFlags(argv, table);
  const isRead = "config" in table && !values.help;
  const config = isRead ? loadConfigFile(folder, values.config as string | undefined, SERVE_OPTIONS) : UNREAD;
  const shared = Object.fromEntries(Object.entries(config.values).filter(([key]) => key in table));
  const options = withDefaults(table, { ...shared, ...values });
  return { options, words: positionals, warnings: config.warnings, configFile: config.file };
}
