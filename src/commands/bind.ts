import { StartError } from "../base/errors.ts";
import { resolveBindOptions } from "../config/commands/bind-options.ts";
import { bindDocument } from "../openapi/bind/bind-document.ts";
import { readBindOverrides } from "../openapi/bind/overrides.ts";
import { loadApiDocument } from "../openapi/read/load-api-document.ts";
import { bindingsJson, bindingsText } from "./bind-report.ts";
import { bindHelp } from "./help.ts";
import { createTerminal } from "./terminal.ts";

/** `standin bind api.yaml`: prints which operations of a document are which collection, and why the rest is none. */
export async function bind(argv: readonly string[]): Promise<void> {
  const terminal = createTerminal();
  const { options, words, configFile = "the config file" } = resolveBindOptions(argv, process.cwd());
  if (options.help) return terminal.print(bindHelp());
  const [file = options.source, ...extra] = words;
  if (file === undefined) throw new StartError("bind needs an OpenAPI document: standin bind api.yaml");
  if (extra.length > 0) throw new StartError(`bind reads one document, but was given ${words.length}.`);
  const overrides = readBindOverrides(options.bind, configFile);
  const document = await loadApiDocument(file, options.allowOutsideRefs);
  const bindings = bindDocument(document, overrides);
  const isJson = options.json || options.format === "json";
  if (isJson) terminal.print(JSON.stringify(bindingsJson(file, bindings), null, 2));
  else for (const line of bindingsText(terminal, file, bindings, options.quiet)) terminal.print(line);
}
