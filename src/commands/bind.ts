import { StartError } from "../base/errors.ts";
import type { OptionTable } from "../base/option.ts";
import { FORMAT_OPTION } from "../config/command-options.ts";
import { SERVE_OPTIONS } from "../config/options.ts";
import { bindDocument } from "../openapi/bind/bind-document.ts";
import { readBindOverrides } from "../openapi/bind/overrides.ts";
import { loadApiDocument } from "../openapi/read/load-api-document.ts";
import { bindingsJson, bindingsText } from "./bind-report.ts";
import { defineCommand } from "./define-command.ts";

const OPTIONS = {
  format: FORMAT_OPTION,
  json: { name: "json", type: "boolean", default: false, help: "Short for --format json", only: "flag" },
  source: { name: "source", type: "string", help: "Document to read; the first argument", only: "file" },
  bind: { name: "bind", type: "object", help: "Corrections, by collection", only: "file" },
  allowOutsideRefs: SERVE_OPTIONS.allowOutsideRefs,
  config: SERVE_OPTIONS.config,
  quiet: { ...SERVE_OPTIONS.quiet, help: "Print only the collections, not the operations that are not bound" },
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

/** `standin bind api.yaml`: prints which operations of a document are which collection, and why the rest is none. */
export const bindCommand = defineCommand({
  name: "bind",
  usage: "<api.yaml>",
  summary: "show which operations of an OpenAPI document form collections",
  help: [
    "standin bind <api.yaml>   show which operations of an OpenAPI document form collections, and why the others do not",
    "",
    "A list path with a path of single records below it (/pets, /pets/{petId}) is a collection: standin api.yaml",
    "stores its records. For each collection, prints its id and its operations: where the list or the record is in the",
    'response, what fields and parameters mean, and parents. Use "bind" in the config file to correct the result.',
    "The exit code is 1 if the document or the corrections are invalid, otherwise 0.",
  ],
  examples: ["standin bind api.yaml", "standin bind api.yaml --json"],
  options: OPTIONS,
  async run({ options, words, configFile = "the config file", terminal }) {
    const [file = options.source, ...extra] = words;
    if (file === undefined) throw new StartError("bind needs an OpenAPI document: standin bind api.yaml");
    if (extra.length > 0) throw new StartError(`bind reads one document, but was given ${words.length}.`);
    const overrides = readBindOverrides(options.bind, configFile);
    const document = await loadApiDocument(file, options.allowOutsideRefs);
    const bindings = bindDocument(document, overrides);
    const isJson = options.json || options.format === "json";
    if (isJson) terminal.print(JSON.stringify(bindingsJson(file, bindings), null, 2));
    else for (const line of bindingsText(terminal, file, bindings, options.quiet)) terminal.print(line);
  },
});
