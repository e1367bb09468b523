import { StartError } from "../errors.ts";
import type { Json, JsonObject } from "../json.ts";
import { flagOf, type Option, type OptionTable, type OptionValue, type Values } from "../option.ts";
import { loadConfigFile } from "./config-file.ts";
import { withDefaults } from "./defaults.ts";
import { parseFlags } from "./flags.ts";
import {
  DOCTOR_OPTIONS,
  type DoctorOptions,
  EXPLAIN_OPTIONS,
  type ExplainOptions,
  GENERATE_OPTIONS,
  type GenerateOptions,
  HOSTED_EXPORT_OPTIONS,
  HOSTED_OPTIONS,
  type HostedExportOptions,
  type HostedOptions,
  SECRET_OPTIONS,
  SERVE_OPTIONS,
  type SecretOptions,
  type ServeOptions,
  SNAPSHOTS_OPTIONS,
  type SnapshotsOptions,
  TRANSFER_OPTIONS,
  type TransferOptions,
  TYPES_OPTIONS,
  type TypesOptions,
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
  const flags = parseFlags(argv, SERVE_OPTIONS, true);
  const [source, ...extra] = flags.positionals;
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
    warnings: [...flags.warnings, ...extraWords(source, extra), ...file.warnings, ...notYet],
    configFile: file.file,
  };
}

/** 0.17 served the first source, and did not mind others. */
function extraWords(source: string | undefined, extra: readonly string[]): string[] {
  return extra.length === 0 ? [] : [`One source is served, ${source}; ignored: ${extra.join(", ")}.`];
}

/**
 * The options of `standin hosted`, with the file of examples. The config file may be one of `standin [source]`: what it
 * says of data does not matter here. Keys come from flags, else from the environment.
 */
export function resolveHostedOptions(
  argv: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv = process.env,
): Resolved<HostedOptions> & { readonly file: string | undefined } {
  const { values, positionals } = parseFlags(argv, HOSTED_OPTIONS);
  const [file, ...extra] = positionals;
  if (extra.length > 0) {
    throw new StartError(`One file of examples can be served, but these were given: ${positionals.join(", ")}.`);
  }
  if (values.help) {
    return { options: withDefaults(HOSTED_OPTIONS, values), warnings: [], configFile: undefined, file };
  }
  const config = loadConfigFile(folder, values.config as string | undefined, SERVE_OPTIONS);
  const shared = Object.fromEntries(Object.entries(config.values).filter(([key]) => key in HOSTED_OPTIONS));
  const given: Partial<Record<keyof typeof HOSTED_OPTIONS, OptionValue>> = { ...shared, ...values };
  if (given.layers) given.layers = withEnvironment(given.layers as Json, env, `${config.file}: layers`) as JsonObject;
  const fromEnvironment = (env.STANDIN_API_KEY ?? "").split(",").flatMap((key) => key.trim() || []);
  given.apiKey ??= fromEnvironment;
  const options = withDefaults(HOSTED_OPTIONS, given);
  if (options.private && !options.apiKey?.length) {
    throw new StartError("--private wants a key: add --api-key <key>, or set STANDIN_API_KEY in the environment.");
  }
  const warnings = [...config.warnings];
  if (!options.private && values.apiKey) warnings.push("--api-key has no effect without --private: anyone is let in.");
  return { options, warnings, configFile: config.file, file };
}

export function resolveHostedExportOptions(argv: readonly string[]): HostedExportOptions {
  const { values, positionals } = parseFlags(argv, HOSTED_EXPORT_OPTIONS);
  if (positionals.length > 0) {
    throw new StartError(`hosted export takes its data from --from, but was given ${positionals.join(", ")}.`);
  }
  return withDefaults(HOSTED_EXPORT_OPTIONS, values);
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

/** The words after `types`; the source comes from one of them, else from the config file of the server. */
export function resolveTypesOptions(argv: readonly string[], folder: string): WithWords<TypesOptions> {
  return resolveWithServerFile(argv, folder, TYPES_OPTIONS);
}

/** The words after `import` or `export`; how the database is used comes from flags, else from the server's config file. */
export function resolveTransferOptions(argv: readonly string[], folder: string): WithWords<TransferOptions> {
  return resolveWithServerFile(argv, folder, TRANSFER_OPTIONS);
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

export function resolveDoctorOptions(argv: readonly string[]): WithWords<DoctorOptions> {
  const { values, positionals } = parseFlags(argv, DOCTOR_OPTIONS);
  return { options: withDefaults(DOCTOR_OPTIONS, values), words: positionals };
}

export function resolveSecretOptions(argv: readonly string[]): { options: SecretOptions; words: readonly string[] } {
  const { values, positionals } = parseFlags(argv, SECRET_OPTIONS);
  const options = withDefaults(SECRET_OPTIONS, values);
  if (!/^[a-zA-Z0-9-]{1,17}$/.test(options.prefix)) {
    throw new StartError(`--prefix ${options.prefix}: a prefix has 1 to 17 letters, digits and dashes.`);
  }
  return { options, words: positionals };
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
