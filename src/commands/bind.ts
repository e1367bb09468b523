import { existsSync, readFileSync } from "node:fs";
import { StartError } from "../base/errors.ts";
import { writeAtomically } from "../base/files/atomic-write.ts";
import { fileProblem } from "../base/files/file-problem.ts";
import { isJsonObject, type JsonObject, parseJson, stringifyJson } from "../base/json/json.ts";
import type { OptionTable } from "../base/option.ts";
import { FORMAT_OPTION } from "../config/command-options.ts";
import { SERVE_OPTIONS } from "../config/options.ts";
import { loadEvidence } from "../features/openapi-source/feature.ts";
import { bindDocument } from "../openapi/bind/bind-document.ts";
import { type Bindings, type BoundCollection, isBelowRecord } from "../openapi/bind/binding.ts";
import { readBindOverrides } from "../openapi/bind/config/overrides.ts";
import { loadApiDocument } from "../openapi/read/load-api-document.ts";
import { defineCommand } from "./define-command.ts";
import { bindingsJson, bindingsText, type ExplainedBindings } from "./print-bindings.ts";

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

/** The `bind` section of a config file that says what was found, for people to edit. */
export function bindSection({ collections }: Bindings): JsonObject {
  return Object.fromEntries(collections.map((collection) => [collection.name, entryFor(collection)]));
}

function entryFor({ idKey, hidesId, operations, isSingle }: BoundCollection): JsonObject {
  const onList = operations.find(({ action }) => action === "list" || action === "create");
  const onItem = operations.find((one) => one.idParameter !== undefined && !isBelowRecord(one));
  const list = operations.find(({ action }) => action === "list");
  const read = operations.find(({ action }) => action === "read");
  const itemAt = read?.at && isWritable(read.at) && { itemAt: read.at.join(".") };
  if (isSingle) return { ...(read && { item: read.operation.path.text }), ...itemAt };
  return {
    ...(onList && { list: onList.operation.path.text }),
    ...(onItem && { item: onItem.operation.path.text }),
    ...(!hidesId && { id: idKey }),
    ...(list?.at && isWritable(list.at) && { at: list.at.join(".") }),
    ...itemAt,
  };
}

/** A dot in a name would be taken for a step. */
function isWritable(names: readonly string[]): boolean {
  return names.every((name) => !name.includes("."));
}

/** Adds the entries that a config file lacks, and returns their names. Entries of the file are never changed. */
async function addBindSection(file: string, source: string, section: JsonObject): Promise<string[]> {
  const config: JsonObject = existsSync(file) ? parseJson(readFileSync(file, "utf8")) : { source };
  const own = isJsonObject(config.bind) ? config.bind : {};
  const added = Object.keys(section).filter((name) => !Object.hasOwn(own, name));
  if (added.length === 0) return [];
  const bind = { ...own, ...Object.fromEntries(added.map((name) => [name, section[name]!])) };
  try {
    await writeAtomically(file, [`${stringifyJson({ ...config, bind }, 2)}\n`]);
  } catch (thrown) {
    throw new StartError(`${file} was not written: ${fileProblem(thrown)}`);
  }
  return added;
}
