import type { Json, JsonObject } from "../base/json/json.ts";
import { loadConfigFile } from "./config-file.ts";
import { withDefaults } from "./defaults.ts";
import { parseFlags } from "./flags.ts";
import { SERVE_OPTIONS, type ServeOptions } from "./options.ts";
import { withEnvironment } from "./secrets.ts";

export interface Resolved<O> {
  readonly options: O;
  readonly warnings: readonly string[];
  /** The config file that was read; undefined if there is none. */
  readonly configFile: string | undefined;
}

/** Resolves the options of `standin [source]`: flags override the config file, which overrides the defaults. */
export function resolveServeOptions(
  argv: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv = process.env,
): Resolved<ServeOptions> {
  const flags = parseFlags(argv, SERVE_OPTIONS, true);
  const [source, ...extra] = flags.positionals;
  // --help must work even with an invalid config file.
  if (flags.values.help || flags.values.version) {
    const given = { ...flags.values, ...(source === undefined ? {} : { source }) };
    return { options: withDefaults(SERVE_OPTIONS, given), warnings: [], configFile: undefined };
  }
  const named = flags.values.config as string | undefined;
  const file = loadConfigFile(folder, named, SERVE_OPTIONS);
  const given = { ...file.values, ...flags.values, ...(source === undefined ? {} : { source }) };
  if (given.layers) given.layers = withEnvironment(given.layers as Json, env, `${file.file}: layers`) as JsonObject;
  return {
    options: withDefaults(SERVE_OPTIONS, given),
    warnings: [...flags.warnings, ...extraWords(source, extra), ...file.warnings],
    configFile: file.file,
  };
}

/** Warns about more than one source: as in 0.17, the first one is served. */
function extraWords(source: string | undefined, extra: readonly string[]): string[] {
  return extra.length === 0 ? [] : [`Serving ${source} only; ignored: ${extra.join(", ")}.`];
}
