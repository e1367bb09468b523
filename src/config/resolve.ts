import { StartError } from "../errors.ts";
import { loadConfigFile } from "./config-file.ts";
import { parseFlags } from "./flags.ts";
import { flagOf, type Option, type OptionTable, type OptionValue, type Values } from "./option.ts";
import { GENERATE_OPTIONS, type GenerateOptions, SERVE_OPTIONS, type ServeOptions } from "./options.ts";

export interface Resolved<O> {
  readonly options: O;
  readonly warnings: readonly string[];
}

/** The options of a start: flags beat the config file, the file beats defaults. */
export function resolveServeOptions(argv: readonly string[], folder: string): Resolved<ServeOptions> {
  const flags = parseFlags(argv, SERVE_OPTIONS);
  const [source, ...extra] = flags.positionals;
  if (extra.length > 0) {
    throw new StartError(
      `One source can be served, but ${flags.positionals.length} were given: ${flags.positionals.join(", ")}.`,
    );
  }
  const named = flags.values.config as string | undefined;
  const file = loadConfigFile(folder, named, SERVE_OPTIONS);
  const given = { ...file.values, ...flags.values, ...(source === undefined ? {} : { source }) };
  const notYet = refuseNotYet(SERVE_OPTIONS, given);
  return { options: withDefaults(SERVE_OPTIONS, given), warnings: [...file.warnings, ...notYet] };
}

export function resolveGenerateOptions(argv: readonly string[]): { options: GenerateOptions; file: string } {
  const { values, positionals } = parseFlags(argv, GENERATE_OPTIONS);
  const [file, ...extra] = positionals;
  if (extra.length > 0) throw new StartError(`generate writes one file, but ${positionals.length} were given.`);
  return { options: withDefaults(GENERATE_OPTIONS, values), file: file ?? SERVE_OPTIONS.source.default };
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
