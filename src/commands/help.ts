import type { OptionTable } from "../base/option.ts";
import { BIND_OPTIONS } from "../config/commands/bind-options.ts";
import { CHECK_OPTIONS } from "../config/commands/check-options.ts";
import { CLIENT_OPTIONS } from "../config/commands/client-options.ts";
import { DOCTOR_OPTIONS } from "../config/commands/doctor-options.ts";
import { EXPLAIN_OPTIONS } from "../config/commands/explain-options.ts";
import { GENERATE_OPTIONS } from "../config/commands/generate-options.ts";
import { HOSTED_EXPORT_OPTIONS } from "../config/commands/hosted-export-options.ts";
import { HOSTED_OPTIONS } from "../config/commands/hosted-options.ts";
import { REQUESTS_OPTIONS } from "../config/commands/requests-options.ts";
import { RULES_OPTIONS } from "../config/commands/rules-options.ts";
import { SECRET_OPTIONS } from "../config/commands/secret-options.ts";
import { SNAPSHOTS_OPTIONS } from "../config/commands/snapshots-options.ts";
import { TRANSFER_OPTIONS } from "../config/commands/transfer-options.ts";
import { TYPES_OPTIONS } from "../config/commands/types-options.ts";
import { helpLines } from "../config/help.ts";
import { SERVE_OPTIONS } from "../config/options.ts";

/** The commands besides `standin [source]`, and what each is for. */
const COMMANDS: Readonly<Record<string, readonly [usage: string, does: string]>> = {
  generate: ["generate [file]", "write generated data to a file, following rules if given"],
  hosted: ["hosted [file]", "serve fixed examples: Postman, OpenAPI, or built in"],
  mcp: ["mcp [source]", "let AI agents use the data (Model Context Protocol on stdio)"],
  types: ["types [source]", "print TypeScript types or C# records for the data"],
  client: ["client [source]", "write a typed client for the data, in TypeScript or C#"],
  requests: ["requests [source]", "write requests for .http files, Bruno, k6 or Postman"],
  rules: ["rules [source]", "print rules (JSON Schema) that the data meets, as a starting point"],
  check: ["check [source] --rules <file>", "list the records that break rules; for CI"],
  bind: ["bind <api.yaml>", "show which operations of an OpenAPI document form collections"],
  explain: ["explain <query> [source]", "show how a query runs and what it costs"],
  snapshots: ["snapshots list|save|restore", "manage snapshots while no server is running"],
  import: ["import <file> <postgres://...>", "load a data file into a database"],
  export: ["export <postgres://...> <file>", "write the content of a database to a data file"],
  doctor: ["doctor [folder]", "check a json-server project and list what to change"],
  secret: ["secret password|api-key|token", "generate secrets for the authentication layers"],
};

export const COMMAND_NAMES: readonly string[] = Object.keys(COMMANDS);

/** The options of the short help, in groups; `--help all` has the rest. */
const GROUPS: Readonly<Record<string, readonly (keyof typeof SERVE_OPTIONS)[]>> = {
  Server: ["port", "host", "https", "open", "quiet"],
  Data: ["watch", "memory", "readOnly", "snapshots", "rules", "id", "foreignKeySuffix"],
  Requests: ["routes", "middlewares", "static", "plugins", "delay"],
  Tests: ["seed", "clock"],
};

const USAGE = "standin [source] [options]   serve JSON data as a REST API";
const SOURCES = [
  "The source is one of",
  "  db.json              a file with one key per collection (the default; created when missing)",
  "  data/                a folder with one file per collection",
  "  data.js, .mjs, .ts   a module that exports data or a function (in memory)",
  "  https://...          the URL of a JSON document (in memory)",
  "  postgres://...       a PostgreSQL database, shared by any number of processes",
  "  api.yaml             an OpenAPI document, with a store behind it",
];

/** The text of `standin --help`: what most people need, on one screen. */
export function shortHelp(): string {
  const table: OptionTable = SERVE_OPTIONS;
  const all = Object.values(GROUPS).flat();
  const lines = helpLines(Object.fromEntries(all.map((name) => [name, table[name]!])));
  const groups = Object.entries(GROUPS).flatMap(([title, names]) => ["", title, ...lines.splice(0, names.length)]);
  return [
    USAGE,
    "The source is db.json, or another file, folder, module, URL, database or OpenAPI document.",
    ...groups,
    "",
    "Commands, each with --help",
    `  ${COMMAND_NAMES.slice(0, 9).join(", ")},`,
    `  ${COMMAND_NAMES.slice(9).join(", ")}`,
    "",
    "standin --help all lists every source, command and option.",
  ].join("\n");
}

/** The text of `standin --help all`. */
export function fullHelp(): string {
  const width = Math.max(...Object.values(COMMANDS).map(([usage]) => usage.length));
  return [
    USAGE,
    "",
    "Commands",
    ...Object.values(COMMANDS).map(([usage, does]) => `  standin ${usage.padEnd(width)}   ${does}`),
    "",
    ...SOURCES,
    "",
    "Options",
    ...helpLines(SERVE_OPTIONS),
    "",
    "Examples",
    "  standin                            serve db.json on http://localhost:3000",
    "  standin data.json --port 3001      serve another file on another port",
    "  standin --watch --memory           reload db.json when it changes, but never write to it",
    "  standin --routes routes.json       rewrite URLs",
    "  standin generate big.json --products 100000 --seed 1",
  ].join("\n");
}

/** The text of `standin mcp --help`. */
export function mcpHelp(): string {
  return [
    "standin mcp [source] [options]   let an AI agent use the data: Model Context Protocol on standard input and output",
    "",
    "Connects to the server that uses the source, if there is one. Otherwise serves the source itself, over HTTP as well.",
    "An agent works in a sandbox, a private copy of the data, until its changes are promoted. Every server offers the same",
    "at /__mcp.",
    "",
    "Credentials for a protected server come from the environment: STANDIN_API_KEY for the api-key layer, STANDIN_TOKEN",
    "for the bearer and signed-token layers. Snapshots stay in memory unless --snapshots names a folder. If the port is in",
    "use, another one is used.",
    "",
    "Takes the options of standin [source]; see standin --help.",
    "",
    "Examples",
    "  standin mcp db.json",
    "  claude mcp add standin -- npx standin mcp db.json",
  ].join("\n");
}

/** The text of `standin generate --help`. */
export function generateHelp(): string {
  return [
    "standin generate [file] [options]   write generated data to a file (default db.json)",
    "",
    "Without --rules, writes products and companies. With --rules, writes the collections of a rules file; every record",
    "meets its rules: types, formats, patterns, ranges, enums, x-unique, x-references. Field names decide what values",
    "look like. If a rule cannot be met, nothing is written, and the message names the collection, field and rule.",
    "",
    "Options",
    ...helpLines(GENERATE_OPTIONS),
    "",
    "Examples",
    "  standin generate big.json --products 1000000 --companies 1000 --seed 1",
    "  standin generate shop.json --rules rules.json --counts products=500,companies=50 --seed 1",
  ].join("\n");
}

/** The text of `standin doctor --help`. */
export function doctorHelp(): string {
  return [
    "standin doctor [folder] [options]   check a project that uses json-server and list what to change",
    "",
    "Reads package.json, the config file, the data file, the rewrite file, middlewares and custom servers",
    "in the folder (default: the current one). Does not run the project's code, and writes nothing.",
    "",
    "Each finding has a level",
    "  broken    does not start, in standin and often in json-server, too",
    "  change    starts, but behaves differently; the fix says what to write instead",
    "  check     not understood; check it yourself",
    "  differs   behaves differently on purpose; change it only if you rely on the old behaviour",
    "  works     works unchanged",
    "The exit code is 1 if something is broken, needs a change or must be checked, otherwise 0.",
    "",
    "Options",
    ...helpLines(DOCTOR_OPTIONS),
    "",
    "Examples",
    "  standin doctor",
    "  standin doctor ../shop --format json",
  ].join("\n");
}

/** The text of `standin secret --help`. */
export function secretHelp(): string {
  return [
    "standin secret password   hash the password on standard input, for layers.signed-token.users",
    "standin secret api-key    generate a key for layers.api-key.keys",
    "standin secret token      generate a secret for layers.signed-token.secret, or a token for layers.bearer.token",
    "",
    "Options",
    ...helpLines(SECRET_OPTIONS),
    "",
    "Example",
    "  echo 'my password' | standin secret password",
  ].join("\n");
}

/** The text of `standin hosted --help`. */
export function hostedHelp(): string {
  return [
    "standin hosted [file] [options]     serve fixed examples, and store nothing",
    "standin hosted <folder> [options]   serve every file of a folder under its own name",
    "standin hosted export               write such a file from data; see standin hosted export --help",
    "",
    "The file is one of",
    "  shop.postman_collection.json   a Postman collection with saved examples",
    "  openapi.yaml, .json            an OpenAPI document",
    "  examples.json                  a list of examples in standin's own format",
    "Without a file, standin serves built-in examples of products and companies.",
    "",
    "Options",
    ...helpLines(HOSTED_OPTIONS),
    "",
    "Examples",
    "  standin hosted openapi.yaml --watch",
    "  standin hosted mocks/",
    "  standin hosted shop.postman_collection.json --private --api-key my-secret-key",
  ].join("\n");
}

/** The text of `standin hosted export --help`. */
export function hostedExportHelp(): string {
  return [
    "standin hosted export [options]   write a Postman collection and an OpenAPI document with examples from data",
    "",
    "Options",
    ...helpLines(HOSTED_EXPORT_OPTIONS),
    "",
    "Example",
    "  standin hosted export --from db.json --out mocks",
  ].join("\n");
}

/** The text of `standin snapshots --help`. */
export function snapshotsHelp(): string {
  return [
    "standin snapshots list              list the snapshots, newest first",
    "standin snapshots save [name]       save the data file as a snapshot",
    "standin snapshots restore <id>      replace the data with a snapshot, by its id or name",
    "",
    "While a server is running, use its API instead: POST /__snapshots__, PUT /__snapshots__/<id>.",
    "",
    "Options",
    ...helpLines(SNAPSHOTS_OPTIONS),
  ].join("\n");
}

/** The text of `standin types --help`. */
export function typesHelp(): string {
  return [
    "standin types [source]   print types for the data",
    "",
    "Infers the types from up to 1000 records of each collection.",
    "",
    "Options",
    ...helpLines(TYPES_OPTIONS),
    "",
    "Examples",
    "  standin types > database.ts",
    "  standin types db.json --lang csharp > Database.cs",
  ].join("\n");
}

/** The text of `standin client --help`. */
export function clientHelp(): string {
  return [
    "standin client [source]   write a typed client for the data: one file without dependencies",
    "",
    "Lists with conditions, order and pages; creates, replaces, updates and deletes records. Notices when somebody else",
    "has changed a record that it read. Works in a sandbox if told so. Types are those of standin types.",
    "",
    "Options",
    ...helpLines(CLIENT_OPTIONS),
    "",
    "Examples",
    "  standin client db.json --out src/client.ts",
    "  standin client db.json --lang csharp --namespace Shop.Data --out StandinClient.cs",
  ].join("\n");
}

/** The text of `standin requests --help`. */
export function requestsHelp(): string {
  return [
    "standin requests [source]       write a request for every route and every query operator of the data",
    "standin requests <url> --seen   write the requests that a running server has seen",
    "",
    "Formats: http (an .http file for VS Code, Visual Studio and JetBrains), bruno (a folder), k6 and postman (v2.1).",
    "Each request works on the data: its fields and values come from there. Writes are rolled back, those of k6 go to a",
    "sandbox. No secret is written: variables stand for credentials, and for values whose names look secret.",
    "",
    "With --seen, credentials for a guarded server come from the environment: STANDIN_API_KEY and STANDIN_TOKEN.",
    "",
    "Options",
    ...helpLines(REQUESTS_OPTIONS),
    "",
    "Examples",
    "  standin requests > shop.http",
    "  standin requests db.json --format bruno --out bruno",
    "  standin requests http://localhost:3000 --seen --format k6 --out replay.js",
  ].join("\n");
}

/** The text of `standin rules --help`. */
export function rulesHelp(): string {
  return [
    "standin rules [source]   print a rules file that the data meets, as a starting point",
    "",
    "Rules are a JSON Schema (2020-12) for each collection: types, required fields, formats, enums for strings with",
    "few different values, x-unique for keys, x-references for foreign keys. Edit the result: what the data happens",
    "to contain is not always required. Reads every record, in data of any size.",
    "",
    "Options",
    ...helpLines(RULES_OPTIONS),
    "",
    "Examples",
    "  standin rules > rules.json",
    "  standin rules db.json --ranges",
  ].join("\n");
}

/** The text of `standin check --help`. */
export function checkHelp(): string {
  return [
    "standin check [source] --rules <file>   list the records that break the rules",
    "",
    "Checks every record against its JSON Schema, and keys against x-unique and x-references.",
    "Prints one line for each violation: the record, the JSON pointer to the value, and the rule.",
    "The exit code is 1 if there are violations, otherwise 0.",
    "",
    "Options",
    ...helpLines(CHECK_OPTIONS),
    "",
    "Examples",
    "  standin check --rules rules.json",
    "  standin check postgres://localhost/shop --rules rules.json --format json",
  ].join("\n");
}

/** The text of `standin bind --help`. */
export function bindHelp(): string {
  return [
    "standin bind <api.yaml>   show which operations of an OpenAPI document form collections, and why the others do not",
    "",
    "A list path with a path of single records below it (/pets, /pets/{petId}) is a collection: standin api.yaml",
    "stores its records. For each collection, prints its id and its operations: where the list or the record is in the",
    'response, what fields and parameters mean, and parents. Use "bind" in the config file to correct the result.',
    "The exit code is 1 if the document or the corrections are invalid, otherwise 0.",
    "",
    "Options",
    ...helpLines(BIND_OPTIONS),
    "",
    "Examples",
    "  standin bind api.yaml",
    "  standin bind api.yaml --json",
  ].join("\n");
}

/** The text of `standin import --help`. */
export function importHelp(): string {
  return [
    "standin import <file> <postgres://...>   load a data file of any size into a database",
    "",
    "A reset returns to the imported data.",
    "",
    "Options",
    ...helpLines(TRANSFER_OPTIONS),
  ].join("\n");
}

/** The text of `standin export --help`. */
export function exportHelp(): string {
  return [
    "standin export <postgres://...> <file>   write the content of a database to a data file",
    "",
    "Options",
    ...helpLines(TRANSFER_OPTIONS),
  ].join("\n");
}

/** The text of `standin explain --help`. */
export function explainHelp(): string {
  return [
    "standin explain <query> [source]   show how a query runs: the plan, records touched, time, indexes",
    "",
    "A running server returns the same for a request with the header Prefer: explain.",
    "",
    "Options",
    ...helpLines(EXPLAIN_OPTIONS),
    "",
    "Example",
    '  standin explain "products?price_gte=5&_sort=name" db.json',
  ].join("\n");
}
