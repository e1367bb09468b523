import { StartError } from "../base/errors.ts";
import type { OptionTable } from "../base/option.ts";
import { FORMAT_OPTION } from "../config/command-options.ts";
import { SERVE_OPTIONS } from "../config/options.ts";
import { loadEvidence } from "../features/openapi-source/feature.ts";
import { bindDocument } from "../openapi/bind/bind-document.ts";
import { readBindOverrides } from "../openapi/bind/config/overrides.ts";
import { loadApiDocument } from "../openapi/read/load-api-document.ts";
import { addBindSection, bindSection } from "./bind/bind-section.ts";
import { bindingsJson } from "./bind/bindings-json.ts";
import { bindingsText } from "./bind/bindings-text.ts";
import type { ExplainedBindings } from "./bind/explained-bindings.ts";
import { defineCommand } from "./define-command.ts";

const OPTIONS = {
  format: {
    ...FORMAT_OPTION,
    choices: ["text", "json", "config"],
    help: 'Output format; config is a "bind" section to copy into the config file',
  },
  json: { name: "json", type: "boolean", default: false, help: "Short for --format json", only: "flag" },
  write: {
    name: "write",
    type: "boolean",
    default: false,
    help: 'Add the collections to "bind" in the config file; entries that it has stay as they are',
    only: "flag",
  },
  source: { name: "source", type: "string", help: "Document to read; the first argument", only: "file" },
  bind: { name: "bind", type: "object", help: "Corrections, by collection", only: "file" },
  allowOutsideRefs: SERVE_OPTIONS.allowOutsideRefs,
  config: SERVE_OPTIONS.config,
  quiet: {
    ...SERVE_OPTIONS.quiet,
    help: "Print only collections and operations: no evidence, and nothing that is not bound",
  },
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
    "response, what fields and parameters mean, parents, relations, what actions change, and what in the document led",
    'to each guess. Use "bind" in the config file to correct the result; --write puts what was found there to edit.',
    "The exit code is 1 if the document or the corrections are invalid, otherwise 0.",
  ],
  examples: ["standin bind api.yaml", "standin bind api.yaml --json", "standin bind api.yaml --write"],
  options: OPTIONS,
  async run({ options, words, configFile = "standin.json", terminal }) {
    const [file = options.source, ...extra] = words;
    if (file === undefined) throw new StartError("bind needs an OpenAPI document: standin bind api.yaml");
    if (extra.length > 0) throw new StartError(`bind reads one document, but was given ${words.length}.`);
    const overrides = readBindOverrides(options.bind, configFile);
    const document = await loadApiDocument(file, options.allowOutsideRefs);
    const bindings = bindDocument(document, overrides);
    if (options.write) {
      const added = await addBindSection(configFile, file, bindSection(bindings));
      const what = added.length === 0 ? "has all collections already" : `now has ${added.join(", ")}`;
      terminal.print(`${configFile}: "bind" ${what}`);
    } else if (options.format === "config") {
      terminal.print(JSON.stringify({ bind: bindSection(bindings) }, null, 2));
    } else {
      const explain = await loadEvidence();
      const explained: ExplainedBindings = {
        ...bindings,
        file,
        evidenceFor: (collection) => explain({ document, overrides, ...bindings }, collection),
      };
      if (options.json || options.format === "json") terminal.print(JSON.stringify(bindingsJson(explained), null, 2));
      else for (const line of bindingsText(terminal, explained, options.quiet)) terminal.print(line);
    }
  },
});
