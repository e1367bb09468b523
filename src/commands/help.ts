import { helpLines } from "../config/help.ts";
import { GENERATE_OPTIONS, SERVE_OPTIONS } from "../config/options.ts";

/** The text of `standin --help`. */
export function serveHelp(): string {
  return [
    "standin [source] [options]   serve a JSON file as a REST API",
    "standin generate [file]      overwrite a data file with generated products and companies",
    "",
    "The source is a .json file with one key per collection (default db.json; created when missing).",
    "",
    "Options",
    ...helpLines(SERVE_OPTIONS),
    "",
    "Examples",
    "  standin                            serve db.json on http://localhost:3000",
    "  standin data.json --port 3001      another file, another port",
    "  standin --routes routes.json       with URL rewrite rules",
    "  standin generate big.json --products 100000 --seed 1",
  ].join("\n");
}

/** The text of `standin generate --help`. */
export function generateHelp(): string {
  return [
    "standin generate [file] [options]   overwrite a data file (default db.json) with generated data",
    "",
    "Options",
    ...helpLines(GENERATE_OPTIONS),
    "",
    "Example",
    "  standin generate big.json --products 1000000 --companies 1000 --seed 1",
  ].join("\n");
}
