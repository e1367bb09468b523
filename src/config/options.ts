import { FEATURE_OPTIONS } from "../features/list.ts";
import type { OptionTable, Values } from "../option.ts";

/** How a PostgreSQL database is used, for every command that can be given one. */
const POSTGRES_OPTIONS = {
  schema: {
    name: "schema",
    type: "string",
    default: "standin",
    placeholder: "<name>",
    help: "PostgreSQL: the schema that holds the data",
  },
  poolSize: {
    name: "poolSize",
    type: "integer",
    default: 10,
    min: 2,
    max: 1000,
    placeholder: "<count>",
    help: "PostgreSQL: connections this process opens at most",
  },
  statementTimeout: {
    name: "statementTimeout",
    type: "integer",
    default: 30_000,
    min: 1,
    max: 2 ** 31 - 1,
    placeholder: "<ms>",
    help: "PostgreSQL: a statement that takes longer is given up",
  },
  databaseTls: {
    name: "databaseTls",
    type: "string",
    choices: ["off", "require", "verify"],
    placeholder: "<level>",
    help: "PostgreSQL: encrypt; with verify, check the certificate (else as the URL says)",
  },
  databaseCa: {
    name: "databaseCa",
    type: "string",
    placeholder: "<file>",
    help: "PostgreSQL: the authority that must have signed its certificate (PEM)",
  },
  indexes: {
    name: "indexes",
    type: "object",
    help: "PostgreSQL: by collection, a list of the fields whose order is kept",
    only: "file",
  },
} as const satisfies OptionTable;

/** Every option of `standin [source]`, in the order in which people meet them. */
export const SERVE_OPTIONS = {
  source: {
    name: "source",
    type: "string",
    default: "db.json",
    placeholder: "<source>",
    help: "What to serve; the first argument on the command line",
    only: "file",
  },
  config: {
    name: "config",
    aliases: ["c"],
    type: "string",
    placeholder: "<file>",
    help: "Config file (else standin.json, else json-server.json in the current folder)",
    only: "flag",
  },
  port: {
    name: "port",
    aliases: ["p"],
    type: "integer",
    default: 3000,
    min: 0,
    max: 65535,
    placeholder: "<port>",
    help: "Port to listen on; 0 picks a free one",
  },
  host: {
    name: "host",
    aliases: ["H"],
    type: "string",
    default: "localhost",
    placeholder: "<host>",
    help: "Address to bind; 0.0.0.0 lets other machines in",
  },
  watch: {
    name: "watch",
    aliases: ["w"],
    type: "boolean",
    default: false,
    help: "Reload the data and the rewrite file when they change",
  },
  memory: { name: "memory", type: "boolean", default: false, help: "Serve a copy of the data; never write the file" },
  durability: {
    name: "durability",
    type: "string",
    default: "process",
    choices: ["process", "disk"],
    placeholder: "<level>",
    help: "Writes survive the end of the process; with disk, a power loss, too",
  },
  routes: {
    name: "routes",
    aliases: ["r"],
    type: "string",
    placeholder: "<file>",
    help: "URL rewrite file: a JSON object, path to path",
  },
  middlewares: {
    name: "middlewares",
    aliases: ["m"],
    type: "strings",
    placeholder: "<files>",
    help: "Layers and interceptor files, applied in the order listed",
  },
  layers: {
    name: "layers",
    type: "object",
    help: "The settings of each listed layer, under its name",
    only: "file",
  },
  static: {
    name: "static",
    aliases: ["s"],
    type: "string",
    placeholder: "<folder>",
    help: "Folder of static files (else ./public if it exists)",
  },
  readOnly: {
    name: "read-only",
    aliases: ["ro"],
    type: "boolean",
    default: false,
    help: "Refuse every write",
  },
  noCors: {
    name: "no-cors",
    aliases: ["nc"],
    type: "boolean",
    default: false,
    help: "Switch off the built-in cross-origin handling",
    bareWarning:
      "--no-cors is on: pages of other origins cannot read responses. In json-server 0.17 the bare flag had no effect; " +
      "leave it out to let them.",
  },
  noGzip: { name: "no-gzip", aliases: ["ng"], type: "boolean", default: false, help: "Switch off compression" },
  ...FEATURE_OPTIONS,
  seed: {
    name: "seed",
    type: "integer",
    min: 0,
    placeholder: "<number>",
    help: "The same seed gives the same text ids, random delays and faults",
  },
  clock: {
    name: "clock",
    type: "string",
    placeholder: "<time>",
    help: "A fixed time to give to clients, such as 2030-01-01T12:00:00Z",
  },
  delay: {
    name: "delay",
    aliases: ["d"],
    type: "integer",
    default: 0,
    min: 0,
    max: 2 ** 31 - 1,
    placeholder: "<ms>",
    help: "Delay every answer by this many milliseconds",
  },
  id: {
    name: "id",
    aliases: ["i"],
    type: "string",
    default: "id",
    placeholder: "<field>",
    help: "Name of the primary key field",
  },
  foreignKeySuffix: {
    name: "foreignKeySuffix",
    aliases: ["fks"],
    type: "string",
    placeholder: "<suffix>",
    help: "Suffix of foreign keys (else each collection's records decide: Id or _id)",
  },
  bodyParser: {
    name: "bodyParser",
    type: "boolean",
    default: true,
    help: "Parse request bodies before interceptors see them",
  },
  https: { name: "https", flag: "ssl", type: "boolean", default: false, help: "Serve over HTTPS" },
  cert: {
    name: "ssl.cert",
    flag: "cert",
    type: "string",
    placeholder: "<file>",
    help: "Certificate for HTTPS (PEM); without a pair a self-signed one is made",
  },
  key: {
    name: "ssl.key",
    flag: "key",
    type: "string",
    placeholder: "<file>",
    help: "Private key for HTTPS (PEM)",
  },
  pretty: { name: "pretty", type: "boolean", default: false, help: "Indent the JSON of answers" },
  trustProxy: {
    name: "trustProxy",
    type: "boolean",
    default: false,
    help: "Take scheme, host and client address from X-Forwarded-* headers",
  },
  allowedHosts: {
    name: "allowedHosts",
    type: "strings",
    isOneEach: true,
    placeholder: "<name>",
    help: "A name /__ routes are served for, beside localhost, IPs and --host; repeatable",
  },
  ...POSTGRES_OPTIONS,
  quiet: { name: "quiet", aliases: ["q"], type: "boolean", default: false, help: "Print nothing but errors" },
  color: { name: "color", type: "boolean", help: "Print in colour (else on a terminal only)", only: "flag" },
  help: { name: "help", aliases: ["h"], type: "boolean", default: false, help: "Show this help", only: "flag" },
  version: { name: "version", aliases: ["v"], type: "boolean", default: false, help: "Show the version", only: "flag" },
} as const satisfies OptionTable;

/** The options of `standin generate`. */
export const GENERATE_OPTIONS = {
  products: {
    name: "products",
    type: "integer",
    default: 100,
    min: 0,
    placeholder: "<count>",
    help: "How many products",
    only: "flag",
  },
  companies: {
    name: "companies",
    type: "integer",
    default: 100,
    min: 1,
    placeholder: "<count>",
    help: "How many companies; every product refers to one",
    only: "flag",
  },
  seed: {
    name: "seed",
    type: "integer",
    min: 0,
    placeholder: "<number>",
    help: "The same seed gives the same data",
    only: "flag",
  },
  force: {
    name: "force",
    type: "boolean",
    default: false,
    help: "Overwrite the file even while a server is using it",
    only: "flag",
  },
  overwrite: {
    name: "overwrite",
    type: "boolean",
    default: false,
    help: "Replace a file that has no products and companies",
    only: "flag",
  },
  quiet: {
    name: "quiet",
    aliases: ["q"],
    type: "boolean",
    default: false,
    help: "Print nothing but errors",
    only: "flag",
  },
  help: { name: "help", aliases: ["h"], type: "boolean", default: false, help: "Show this help", only: "flag" },
} as const satisfies OptionTable;

/** The options of `standin snapshots`. */
export const SNAPSHOTS_OPTIONS = {
  source: { ...SERVE_OPTIONS.source, only: "flag", help: "The data file or folder" },
  config: SERVE_OPTIONS.config,
  snapshots: { ...SERVE_OPTIONS.snapshots, help: "Folder of the snapshots (else the one of the config file)" },
  id: SERVE_OPTIONS.id,
  ...POSTGRES_OPTIONS,
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

/** The options of `standin explain`. */
export const EXPLAIN_OPTIONS = {
  source: { ...SERVE_OPTIONS.source, only: "flag", help: "What to look into; also the word after the query" },
  config: SERVE_OPTIONS.config,
  id: SERVE_OPTIONS.id,
  foreignKeySuffix: SERVE_OPTIONS.foreignKeySuffix,
  ...POSTGRES_OPTIONS,
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

/** The options of `standin import` and `standin export`. */
export const TRANSFER_OPTIONS = {
  config: SERVE_OPTIONS.config,
  id: SERVE_OPTIONS.id,
  foreignKeySuffix: SERVE_OPTIONS.foreignKeySuffix,
  ...POSTGRES_OPTIONS,
  force: {
    name: "force",
    type: "boolean",
    default: false,
    help: "Replace what is there already",
    only: "flag",
  },
  quiet: SERVE_OPTIONS.quiet,
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

/** The options of `standin hosted`: those of a start that have nothing to do with data, and its own. */
export const HOSTED_OPTIONS = {
  private: {
    name: "private",
    type: "boolean",
    default: false,
    help: "Want an API key in the header X-Api-Key of every request",
    only: "flag",
  },
  apiKey: {
    name: "api-key",
    type: "strings",
    isOneEach: true,
    placeholder: "<key>",
    help: "A key that is let in; repeat it for more (else from STANDIN_API_KEY, separated by commas)",
    only: "flag",
  },
  seed: {
    name: "seed",
    type: "integer",
    default: 1,
    min: 0,
    placeholder: "<number>",
    help: "The same seed gives the same bodies where they are made from a schema",
    only: "flag",
  },
  config: SERVE_OPTIONS.config,
  port: SERVE_OPTIONS.port,
  host: SERVE_OPTIONS.host,
  watch: { ...SERVE_OPTIONS.watch, help: "Reload the examples and the rewrite file when they change" },
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
  quiet: SERVE_OPTIONS.quiet,
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

/** The options of `standin hosted export`. */
export const HOSTED_EXPORT_OPTIONS = {
  from: {
    name: "from",
    type: "string",
    default: "db.json",
    placeholder: "<source>",
    help: "The data to take examples from: a data file, a folder, a module or an address",
    only: "flag",
  },
  out: {
    name: "out",
    type: "string",
    default: ".",
    placeholder: "<folder>",
    help: "The folder to write the collection and the document to",
    only: "flag",
  },
  limit: {
    name: "limit",
    type: "integer",
    default: 20,
    min: 1,
    max: 1000,
    placeholder: "<count>",
    help: "How many records of each collection become examples",
    only: "flag",
  },
  force: { name: "force", type: "boolean", default: false, help: "Overwrite files that are there", only: "flag" },
  quiet: { ...SERVE_OPTIONS.quiet, only: "flag" },
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

/** The options of `standin types`. */
export const TYPES_OPTIONS = {
  source: { ...SERVE_OPTIONS.source, only: "flag", help: "What to look at; also the word after types" },
  lang: {
    name: "lang",
    type: "string",
    default: "typescript",
    choices: ["typescript", "csharp"],
    placeholder: "<language>",
    help: "The language to write",
    only: "flag",
  },
  config: SERVE_OPTIONS.config,
  id: SERVE_OPTIONS.id,
  foreignKeySuffix: SERVE_OPTIONS.foreignKeySuffix,
  ...POSTGRES_OPTIONS,
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

/** The options of `standin doctor`. */
export const DOCTOR_OPTIONS = {
  format: {
    name: "format",
    type: "string",
    default: "text",
    choices: ["text", "json"],
    placeholder: "<format>",
    help: "How to print what was found",
    only: "flag",
  },
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

/** The options of `standin secret`. */
export const SECRET_OPTIONS = {
  prefix: {
    name: "prefix",
    type: "string",
    default: "key",
    placeholder: "<text>",
    help: "What an API key begins with; csharp marks a .NET client",
    only: "flag",
  },
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

export type ServeOptions = Values<typeof SERVE_OPTIONS>;
export type DoctorOptions = Values<typeof DOCTOR_OPTIONS>;
export type GenerateOptions = Values<typeof GENERATE_OPTIONS>;
export type SnapshotsOptions = Values<typeof SNAPSHOTS_OPTIONS>;
export type SecretOptions = Values<typeof SECRET_OPTIONS>;
export type HostedOptions = Values<typeof HOSTED_OPTIONS>;
export type HostedExportOptions = Values<typeof HOSTED_EXPORT_OPTIONS>;
export type ExplainOptions = Values<typeof EXPLAIN_OPTIONS>;
export type TypesOptions = Values<typeof TYPES_OPTIONS>;
export type TransferOptions = Values<typeof TRANSFER_OPTIONS>;
export type DatabaseOptions = Values<typeof POSTGRES_OPTIONS>;
