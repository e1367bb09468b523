import { StartError } from "../errors.ts";
import type { Json, JsonObject } from "../json.ts";
import { loadConfigFile } from "./config-file.ts";
import { parseFlags } from "./flags.ts";
import { flagOf, type Option, type OptionTable, type OptionValue, type Values } from "./option.ts";
import {
  EXPLAIN_OPTIONS,
  type ExplainOptions,
  GENERATE_OPTIONS,
  type GenerateOptions,
  SECRET_OPTIONS,
  SERVE_OPTIONS,
  type SecretOptions,
  type ServeOptions,
  SNAPSHOTS_OPTIONS,
  type SnapshotsOptions,
} from "./options.ts";
import { withEnvironment } from "./secrets.ts";

export interface Resolved<O> {
  readonly options: O;
  readonly warnings: readonly string[];
  /** The config file that was read; undefined when there is none. */
  readonly configFile: string | undefined;
}

/** The options of a start: flags beat the config file, the file beats defaults. */
export function resolveServeOptions(
  argv: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv = process.env,
): Resolved<ServeOptions> {
  const flags = parseFlags(argv, SERVE_OPTIONS);
  const [source, ...extra] = flags.positionals;
  if (extra.length > 0) {
    throw new StartError(
      `One source can be served, but ${flags.positionals.length} were given: ${flags.positionals.join(", ")}.`,
    );
  }
  // Whoever asks how it works may have a config file that does not.
  if (flags.values.help || flags.values.version) {
    return { options: withDefaults(SERVE_OPTIONS, flags.values), warnings: [], configFile: undefined };
  }
  const named = flags.values.config as string | undefined;
  const file = loadConfigFile(folder, named, SERVE_OPTIONS);
  const given = { ...file.values, ...flags.values, ...(source === undefined ? {} : { source }) };
  const notYet = refuseNotYet(SERVE_OPTIONS, given);
  if (given.layers) given.layers = withEnvironment(given.layers as Json, env, `${file.file}: layers`) as JsonObject;
  return {
    options: withDefaults(SERVE_OPTIONS, given),
    warnings: [...file.warnings, ...notYet],
    configFile: file.file,
  };
}

export function resolveGenerateOptions(argv: readonly string[]): { options: GenerateOptions; file: string } {
  const { values, positionals } = parseFlags(argv, GENERATE_OPTIONS);
  const [file, ...extra] = positionals;
  if (extra.length > 0) throw new StartError(`generate writes one file, but ${positionals.length} were given.`);
  return { options: withDefaults(GENERATE_OPTIONS, values), file: file ?? SERVE_OPTIONS.source.default };
}

/** The words after `snapshots`; source and folder come from flags, else from the config file of the server. */
export function resolveSnapshotsOptions(argv: readonly string[], folder: string): WithWords<SnapshotsOptions> {
  return resolveWithServerFile(argv, folder, SNAPSHOTS_OPTIONS);
}

/** The words after `explain`; the source comes from a flag, else from the config file of the server. */
export function resolveExplainOptions(argv: readonly string[], folder: string): WithWords<ExplainOptions> {
  return resolveWithServerFile(argv, folder, EXPLAIN_OPTIONS);
}

interface WithWords<O> {
  readonly options: O;
  readonly words: readonly string[];
}

function resolveWithServerFile<T extends OptionTable>(
  argv: readonly string[],
  folder: string,
  table: T,
): WithWords<Values<T>> {
  const { values, positionals } = parseFlags(argv, table);
  const file = values.help ? {} : loadConfigFile(folder, values.config as string | undefined, SERVE_OPTIONS).values;
  const shared = Object.fromEntries(Object.entries(file).filter(([key]) => key in table));
  return { options: withDefaults(table, { ...shared, ...values }), words: positionals };
}

export function resolveSecretOptions(argv: readonly string[]): { options: SecretOptions; words: readonly string[] } {
  const { values, positionals } = parseFlags(argv, SECRET_OPTIONS);
  const options = withDefaults(SECRET_OPTIONS, values);
  if (!/^[a-zA-Z0-9-]{1,17}$/.test(options.prefix)) {
    throw new StartError(`--prefix ${options.prefix}: a prefix has 1 to 17 letters, digits and dashes.`);
  }
  return { options, words: positionals };
}

function withDefaults<T extends OptionTable>(table: T, given: { [K in keyof T]?: OptionValue }): Values<T> {
  const entries = Object.entries(table).map(([key, option]) => [key, given[key] ?? option.default]);
  return Object.fromEntries(entries) as Values<T>;
}

/** What a later version brings: a start that would be unsafe or useless without it stops, any other goes on and says so. */
function refuseNotYet(table: OptionTable, given: Readonly<Record<string, OptionValue | undefined>>): string[] {
  const warnings: string[] = [];
  for (const [key, option] of Object.entries(table)) {
    const value = given[key];
    if (option.notYet === undefined || value === undefined || value === option.default) continue;
    if (Array.isArray(value) && value.length === 0) continue;
    const message = `"${option.name}"${flagNote(option)} is not available yet in this version of standin`;
    if (option.notYet === "stop") throw new StartError(`${message}. Start without it.`);
    warnings.push(`${message}; it is ignored.`);
  }
  return warnings;
}

function flagNote(option: Option): string {
  const flag = flagOf(option);
  return flag === undefined || flag === option.name ? "" : ` (--${flag})`;
}
