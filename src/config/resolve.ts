import type { Json, JsonObject } from "../base/json/json.ts";
import type { OptionTable, Values } from "../base/option.ts";
import { withoutPassword } from "../store/sources/source-kind.ts";
import { loadConfigFile } from "./config-file.ts";
import { withDefaults } from "./defaults.ts";
import { parseFlags } from "./flags.ts";
import { type MountedSource, readMounts } from "./mounts.ts";
import { SERVE_OPTIONS, type ServeOptions } from "./options.ts";
import { withEnvironment } from "./secrets.ts";

export interface Resolved<O> {
  readonly options: O;
  readonly warnings: readonly string[];
  /** The config file that was read; undefined if there is none. */
  readonly configFile: string | undefined;
  /** Several sources with their options, where there are any; otherwise the options have the only one. */
  readonly mounts?: readonly MountedSource[] | undefined;
}

/** Resolves the options of `standin [source]`: flags override the config file, which overrides the defaults. */
export function resolveServeOptions(
  argv: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv = process.env,
): Resolved<ServeOptions> {
  const flags = parseFlags(argv, SERVE_OPTIONS, true);
  const [source, ...more] = flags.positionals;
  // --help must work even with an invalid config file.
  if (flags.values.help || flags.values.version) {
    const values = { ...flags.values, ...(source === undefined ? {} : { source }) };
    return { options: withDefaults(SERVE_OPTIONS, values), warnings: [], configFile: undefined };
  }
  const named = flags.values.config as string | undefined;
  const file = loadConfigFile(folder, named, SERVE_OPTIONS);
  const values = { ...file.values, ...flags.values, ...(source === undefined ? {} : { source }) };
  for (const key of ["layers", "hooks"] as const) {
    if (values[key]) values[key] = withEnvironment(values[key] as Json, env, `${file.file}: ${key}`) as JsonObject;
  }
  const mounts = source === undefined ? readMounts({ file, flags: flags.values, env }) : undefined;
  return {
    options: withDefaults(SERVE_OPTIONS, values),
    warnings: [...flags.warnings, ...extraWords(source, more), ...file.warnings, ...(mounts?.warnings ?? [])],
    configFile: file.file,
    mounts: mounts?.list,
  };
}

/** As in 0.17, the first source is the one that is served. */
function extraWords(source: string | undefined, extra: readonly string[]): string[] {
  if (source === undefined || extra.length === 0) return [];
  return [
    `Serving ${withoutPassword(source)} only; ignored: ${extra.map(withoutPassword).join(", ")}. To serve several sources, give them names under "mounts" in the config file.`,
  ];
}

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
