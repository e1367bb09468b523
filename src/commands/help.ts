import { helpLines } from "../config/help.ts";
import {
  DOCTOR_OPTIONS,
  EXPLAIN_OPTIONS,
  GENERATE_OPTIONS,
  HOSTED_EXPORT_OPTIONS,
  HOSTED_OPTIONS,
  SECRET_OPTIONS,
  SERVE_OPTIONS,
  SNAPSHOTS_OPTIONS,
  TRANSFER_OPTIONS,
  TYPES_OPTIONS,
} from "../config/options.ts";

/** The text of `standin --help`. */
export function serveHelp(): string {
  return [
    "standin [source] [options]               serve JSON data as a REST API",
    "standin generate [file]                  write generated products and companies to a data file",
    "standin snapshots list|save|restore      work on snapshots while no server runs",
    "standin hosted [file]                    answer from fixed examples: Postman, OpenAPI, or built in",
    "standin explain <query> [source]         show how a query is answered, and what it costs",
    "standin types [source]                   write TypeScript types or C# records for the data",
    "standin import <file> <postgres://...>   put a data file into a database; export takes it out again",
    "standin doctor [folder]                  read a json-server project and say what to change",
    "standin secret password|api-key|token    make what the guarding layers want in their settings",
    "",
    "The source is one of",
    "  db.json              a file with one key per collection (the default; created when missing)",
    "  data/                a folder with one file per collection",
    "  data.js, .mjs, .ts   a module that exports data or a function (in memory)",
    "  https://...          the address of a JSON document (in memory)",
    "  postgres://...       a PostgreSQL database, shared by any number of processes",
    "",
    "Options",
    ...helpLines(SERVE_OPTIONS),
    "",
    "Examples",
    "  standin                            serve db.json on http://localhost:3000",
    "  standin data.json --port 3001      another file, another port",
    "  standin --watch --memory           follow edits of db.json, but never write it",
    "  standin --routes routes.json       with URL rewrite rules",
    "  standin generate big.json --products 100000 --seed 1",
  ].join("\n");
}

/** The text of `standin generate --help`. */
export function generateHelp(): string {
  return [
    "standin generate [file] [options]   write generated data to a file (default db.json)",
    "",
    "Options",
    ...helpLines(GENERATE_OPTIONS),
    "",
    "Example",
    "  standin generate big.json --products 1000000 --companies 1000 --seed 1",
  ].join("\n");
}

/** The text of `standin doctor --help`. */
export function doctorHelp(): string {
  return [
    "standin doctor [folder] [options]   read a project that uses json-server, and say what to change",
    "",
    "Reads package.json, the config file, the data file, the rewrite file, middlewares and custom servers",
    "of the folder (default: the current one). Runs none of its code and writes nothing.",
    "",
    "Each finding has a level",
    "  broken    the start fails, in standin and often in json-server, too",
    "  change    it starts, but does something else than before; the line says what to write instead",
    "  differs   it behaves otherwise on purpose; nothing to do unless you count on the old way",
    "  works     it works as it is",
    "The exit code is 1 when something is broken or to be changed, else 0.",
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
    "standin secret api-key    make a key for layers.api-key.keys",
    "standin secret token      make a secret for layers.signed-token.secret, or a token for layers.bearer.token",
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
    "standin hosted [file] [options]   answer from fixed examples, and store nothing",
    "standin hosted export             make such a file from data; see standin hosted export --help",
    "",
    "The file is one of",
    "  shop.postman_collection.json   a Postman collection v2.1 with saved examples",
    "  openapi.yaml, .json            an OpenAPI 3 document",
    "  examples.json                  a list of examples in standin's own format",
    "Without a file, examples of products and companies are served.",
    "",
    "Options",
    ...helpLines(HOSTED_OPTIONS),
    "",
    "Examples",
    "  standin hosted openapi.yaml --watch",
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
    "standin snapshots list              show the snapshots, newest first",
    "standin snapshots save [name]       save the data file as a snapshot",
    "standin snapshots restore <id>      put a snapshot in place of the data, by its id or name",
    "",
    "While a server is running, ask it instead: POST /__snapshots__, PUT /__snapshots__/<id>.",
    "",
    "Options",
    ...helpLines(SNAPSHOTS_OPTIONS),
  ].join("\n");
}

/** The text of `standin types --help`. */
export function typesHelp(): string {
  return [
    "standin types [source]   write types for the data to standard output",
    "",
    "They are inferred from the records: at most a thousand of each collection are looked at.",
    "",
    "Options",
    ...helpLines(TYPES_OPTIONS),
    "",
    "Examples",
    "  standin types > database.ts",
    "  standin types db.json --lang csharp > Database.cs",
  ].join("\n");
}

/** The text of `standin import --help`. */
export function importHelp(): string {
  return [
    "standin import <file> <postgres://...>   put a data file of any size into a database",
    "",
    "What it holds afterwards is what a reset goes back to.",
    "",
    "Options",
    ...helpLines(TRANSFER_OPTIONS),
  ].join("\n");
}

/** The text of `standin export --help`. */
export function exportHelp(): string {
  return [
    "standin export <postgres://...> <file>   write what a database holds into a data file",
    "",
    "Options",
    ...helpLines(TRANSFER_OPTIONS),
  ].join("\n");
}

/** The text of `standin explain --help`. */
export function explainHelp(): string {
  return [
    "standin explain <query> [source]   show how a query is answered: the plan, records touched, time, indexes",
    "",
    "A running server tells the same when it is asked with the header Prefer: explain.",
    "",
    "Options",
    ...helpLines(EXPLAIN_OPTIONS),
    "",
    "Example",
    '  standin explain "products?price_gte=5&_sort=name" db.json',
  ].join("\n");
}
