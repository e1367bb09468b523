import { StartError } from "../base/errors.ts";
import type { Json } from "../base/json/json.ts";
import type { OptionTable } from "../base/option.ts";
import { FORMAT_OPTION } from "../config/command-options.ts";
import { SERVE_OPTIONS } from "../config/options.ts";
import { bindDocument } from "../openapi/bind/bind-document.ts";
import type { Bindings, BoundCollection, BoundOperation } from "../openapi/bind/binding.ts";
import { readBindOverrides } from "../openapi/bind/overrides.ts";
import { loadApiDocument } from "../openapi/read/load-api-document.ts";
import { defineCommand } from "./define-command.ts";
import { printable, type Terminal } from "./terminal.ts";

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

/** The bindings as a table for people. */
function bindingsText(
  terminal: Terminal,
  file: string,
  { collections, unbound }: Bindings,
  isQuiet: boolean,
): string[] {
  const bound = collections.reduce((sum, { operations }) => sum + operations.length, 0);
  const all = bound + unbound.length;
  const width = Math.max(0, ...collections.flatMap(({ operations }) => operations.map((one) => addressOf(one).length)));
  const lines = [
    `${printable(file)}: ${counted(collections.length, "collection")}, ${bound} of ${counted(all, "operation")} bound`,
    ...collections.flatMap((collection) => ["", ...collectionLines(terminal, collection, width)]),
  ];
  if (isQuiet || unbound.length === 0) return lines;
  const wide = Math.max(...unbound.map((one) => addressOf(one).length));
  return [
    ...lines,
    "",
    terminal.style("bold", "not bound: these respond from examples and schemas"),
    ...unbound.map((one) => `  ${addressOf(one).padEnd(wide)}  ${terminal.style("dim", printable(one.why))}`),
  ];
}

function collectionLines(terminal: Terminal, { name, idKey, operations }: BoundCollection, width: number): string[] {
  return [
    `${terminal.style("bold", printable(name))}  ${terminal.style("dim", `id: ${printable(idKey)}`)}`,
    ...operations.flatMap((one) => {
      const action = terminal.style("cyan", one.action.padEnd(7));
      return [
        `  ${action}  ${addressOf(one).padEnd(width)}  ${terminal.style("dim", printable(detailsOf(one)))}`,
        ...meaningsOf(one).map((line) => terminal.style("dim", printable(`             ${line}`))),
      ];
    }),
  ];
}

/** `GET    /pets/{petId}` */
function addressOf({ operation }: Pick<BoundOperation, "operation">): string {
  return `${operation.method.padEnd(6)} ${printable(operation.path.text)}`;
}

/** `list at data; {id} is ownerId of owners` */
function detailsOf({ why, parents }: BoundOperation): string {
  const keys = parents.map(({ parameter, field, isInRecord, collection }) => {
    const owner = collection === undefined ? "" : ` of ${collection}`;
    return `{${parameter}} is ${field}${owner}${isInRecord ? "" : " (stored, not sent)"}`;
  });
  return [why, ...keys].join("; ");
}

/** `fields  total: meta.total, page: meta.page` and `query   ?limit, ?status filters` */
function meaningsOf({ envelope, parameters }: BoundOperation): string[] {
  return [
    ...(envelope.length > 0
      ? [`fields  ${envelope.map(({ path, role }) => `${path.join(".")} (${role})`).join(", ")}`]
      : []),
    ...(parameters.length > 0 ? [`query   ${parameters.map(parameterText).join(", ")}`] : []),
  ];
}

/** `?limit`, `?per_page (limit)`, `?status (filter)`, `?ownerId (filter owner_id)` */
function parameterText({ name, role, field }: BoundOperation["parameters"][number]): string {
  const meaning = role === "filter" && field !== name ? `filter ${field}` : role;
  return meaning === name ? `?${name}` : `?${name} (${meaning})`;
}

/** The bindings for programs. */
function bindingsJson(file: string, { collections, unbound }: Bindings): Json {
  return {
    file,
    collections: collections.map(({ name, path, idKey, record, operations }) => ({
      name,
      path,
      id: idKey,
      record: record.place,
      operations: operations.map(operationJson),
    })),
    unbound: unbound.map(({ operation, why }) => ({ method: operation.method, path: operation.path.text, why })),
  };
}

function operationJson(bound: BoundOperation): Json {
  const { operation, action, success, at, isListOfOne, wrapper, requestAt, parents, envelope, parameters, why } = bound;
  return {
    method: operation.method,
    path: operation.path.text,
    action,
    status: success.status,
    idParameter: bound.idParameter ?? null,
    at: at ? [...at] : null,
    isListOfOne,
    elementAt: wrapper ? [...wrapper.at] : [],
    requestAt: [...requestAt],
    parents: parents.map(({ collection, ...parent }) => ({ ...parent, collection: collection ?? null })),
    envelope: envelope.map(({ path, role }) => ({ path: [...path], role })),
    parameters: parameters.map((parameter) => ({ ...parameter })),
    why,
  };
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
