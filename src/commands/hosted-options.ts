import { StartError } from "../base/errors.ts";
import type { JsonObject } from "../base/json/json.ts";
import type { OptionTable, Values } from "../base/option.ts";
import { SERVE_OPTIONS } from "../config/options.ts";
import { type Resolved, resolveWithServerFile } from "../config/resolve.ts";
import { withEnvironment } from "../config/secrets.ts";

/** The options of `standin hosted`: its own, and those of `standin [source]` that do not concern data. */
export const HOSTED_OPTIONS = {
  private: {
    name: "private",
    type: "boolean",
    default: false,
    help: "Require an API key in the X-Api-Key header of every request",
    only: "flag",
  },
  apiKey: {
    name: "api-key",
    type: "strings",
    isOneEach: true,
    placeholder: "<key>",
    help: "Accepted key; repeatable (default: STANDIN_API_KEY, comma-separated)",
    only: "flag",
  },
  seed: {
    name: "seed",
    type: "integer",
    default: 1,
    min: 0,
    placeholder: "<number>",
    help: "The same seed generates the same bodies from schemas and the same dynamic values",
    only: "flag",
  },
  environment: {
    name: "environment",
    aliases: ["e"],
    type: "string",
    placeholder: "<file>",
    help: "Postman environment whose values override those of the collection",
    only: "flag",
  },
  maxBodyBytes: {
    name: "maxBodyBytes",
    type: "integer",
    default: 10 * 1024 * 1024,
    min: 0,
    placeholder: "<bytes>",
    help: "Largest accepted request body",
    only: "flag",
  },
  validate: {
    name: "validate",
    type: "string",
    default: "off",
    choices: ["on", "warn", "off"],
    bare: "on",
    placeholder: "<mode>",
    help: "Check requests: on (or the flag alone) rejects, warn only reports",
  },
  allowOutsideRefs: SERVE_OPTIONS.allowOutsideRefs,
  config: SERVE_OPTIONS.config,
  port: SERVE_OPTIONS.port,
  host: SERVE_OPTIONS.host,
  base: SERVE_OPTIONS.base,
  watch: { ...SERVE_OPTIONS.watch, help: "Reload examples, rewrite rules, interceptors and plugins when they change" },
  routes: SERVE_OPTIONS.routes,
  middlewares: SERVE_OPTIONS.middlewares,
  layers: SERVE_OPTIONS.layers,
  static: SERVE_OPTIONS.static,
  noCors: SERVE_OPTIONS.noCors,
  noGzip: SERVE_OPTIONS.noGzip,
  delay: SERVE_OPTIONS.delay,
  bodyParser: SERVE_OPTIONS.bodyParser,
  https: SERVE_OPTIONS.https,
  cert: SERVE_OPTIONS.cert,
  key: SERVE_OPTIONS.key,
  pretty: SERVE_OPTIONS.pretty,
  trustProxy: SERVE_OPTIONS.trustProxy,
  allowedHosts: SERVE_OPTIONS.allowedHosts,
  traffic: SERVE_OPTIONS.traffic,
  faults: SERVE_OPTIONS.faults,
  plugins: SERVE_OPTIONS.plugins,
  pluginOptions: SERVE_OPTIONS.pluginOptions,
  noConsole: { ...SERVE_OPTIONS.noConsole, help: "Turn off the start page, the console and the traffic log" },
  quiet: SERVE_OPTIONS.quiet,
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

export type HostedOptions = Values<typeof HOSTED_OPTIONS>;

/**
 * Resolves the options of `standin hosted`, with the file of examples. A config file for `standin [source]` works too:
 * its keys about data are ignored. API keys come from flags, otherwise from the environment.
 */
export function resolveHostedOptions(
  argv: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv = process.env,
): Resolved<HostedOptions> & { readonly file: string | undefined } {
  const { options, words, warnings, configFile } = resolveWithServerFile(argv, folder, HOSTED_OPTIONS);
  const [file, ...extra] = words;
  if (extra.length > 0) {
    throw new StartError(`hosted serves one file or folder of examples, but was given ${words.join(", ")}.`);
  }
  const { help, layers, apiKey = keysIn(env) } = options;
  if (help) return { options, warnings, configFile, file };
  if (options.private && apiKey.length === 0) {
    throw new StartError("--private needs a key: add --api-key <key>, or set STANDIN_API_KEY in the environment.");
  }
  const hasIdleKey = !options.private && options.apiKey !== undefined;
  return {
    options: {
      ...options,
      apiKey,
      layers: layers && (withEnvironment(layers, env, `${configFile}: layers`) as JsonObject),
    },
    warnings: [
      ...warnings,
      ...(hasIdleKey ? ["--api-key has no effect without --private: requests need no key."] : []),
    ],
    configFile,
    file,
  };
}

function keysIn({ STANDIN_API_KEY: keys = "" }: NodeJS.ProcessEnv): string[] {
  return keys.split(",").flatMap((key) => key.trim() || []);
}
