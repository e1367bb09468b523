import type { OptionTable, Values } from "../base/option.ts";
import { loadConfigFile } from "./config-file.ts";
import { withDefaults } from "./defaults.ts";
import { parseFlags } from "./flags.ts";
import { SERVE_OPTIONS } from "./options.ts";

/** The options of a command, and the words of its command line that belong to no flag. */
export interface WithWords<O> {
  readonly options: O;
  readonly words: readonly string[];
}

/** Resolves the options of a command from its flags, then from the config file of the server. */
export function resolveWithServerFile<T extends OptionTable>(
  argv: readonly string[],
  folder: string,
  table: T,
): WithWords<Values<T>> {
  const { values, positionals } = parseFlags(argv, table);
  const file = values.help ? {} : loadConfigFile(folder, values.config as string | undefined, SERVE_OPTIONS).values;
  const shared = Object.fromEntries(Object.entries(file).filter(([key]) => key in table));
  return { options: withDefaults(table, { ...shared, ...values }), words: positionals };
}
