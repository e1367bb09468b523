import { StartError } from "../../base/errors.ts";
import { isJsonObject, type Json } from "../../base/json/json.ts";
import { didYouMean } from "../../base/nearest.ts";
import { allowedValues, isAllowed, type Option } from "../../base/option.ts";
import { importFile, resolve, statSync } from "../../base/platform/files.ts";
import { parseRoutes, type RouteEntry } from "./parse-routes.ts";
import type { AnyPlugin, Plugin, PluginOption } from "./types.ts";

const TYPES: readonly unknown[] = [
  "boolean",
  "integer",
  "string",
  "strings",
  "object",
  "objects",
] satisfies Option["type"][];

/** A plugin that is ready to be used. */
export interface LoadedPlugin {
  readonly plugin: Plugin;
  /** Its path as the user wrote it, or its name where a program gave the object itself. */
  readonly source: string;
  /** The absolute path; undefined without a file. */
  readonly file: string | undefined;
  readonly options: Record<string, unknown>;
  readonly routes: readonly RouteEntry[];
}

export interface PluginLoadOptions {
  /** The settings of all plugins, by name. */
  readonly pluginOptions: Readonly<Record<string, Json | undefined>>;
  /** Where these are written, for messages. */
  readonly place: string;
  /** Reads the file again even if it was loaded before. */
  readonly isReload?: boolean;
}

const FUNCTIONS = ["step", "onChange", "open"] as const;
const PARTS = new Set(["name", "options", "routes", ...FUNCTIONS]);

/** Loads a plugin and checks its shape. A `StartError` names the file and the part that cannot work. */
export async function loadPlugin(
  given: string | AnyPlugin,
  { pluginOptions, place, isReload = false }: PluginLoadOptions,
): Promise<LoadedPlugin> {
  const file = typeof given === "string" ? resolve(given) : undefined;
  if (file !== undefined && !statSync(file, { throwIfNoEntry: false })?.isFile()) {
    throw new StartError(`plugins: there is no file ${given as string}.`);
  }
  const exported: unknown = file === undefined ? given : await importFile(file, { isReload, name: given as string });
  const source = typeof given === "string" ? given : nameIn(given);
  const problem = problemOf(exported);
  if (problem !== undefined) throw new StartError(`The plugin ${source} cannot be used: ${problem}`);
  const plugin = exported as Plugin;
  const settings = Object.hasOwn(pluginOptions, plugin.name) ? pluginOptions[plugin.name] : undefined;
  const options = readPluginOptions(plugin, settings, place);
  return { plugin, source, file, options, routes: parseRoutes(plugin.routes ?? {}, source) };
}

function problemOf(exported: unknown): string | undefined {
  if (typeof exported !== "object" || exported === null) {
    return 'it must export an object by default, such as { name: "dashboard", routes: { ... } }.';
  }
  const plugin = exported as Record<string, unknown>;
  if (typeof plugin.name !== "string" || plugin.name === "") return '"name" must be a string.';
  const unknown = Object.keys(plugin).find((key) => !PARTS.has(key));
  if (unknown !== undefined) return `"${unknown}" is not a property of a plugin; allowed are ${[...PARTS].join(", ")}.`;
  for (const name of FUNCTIONS) {
    if (plugin[name] !== undefined && typeof plugin[name] !== "function") return `"${name}" must be a function.`;
  }
  for (const name of ["routes", "options"]) {
    if (plugin[name] !== undefined && !isJsonObject(plugin[name])) return `"${name}" must be an object.`;
  }
  return optionProblem((plugin.options ?? {}) as Record<string, unknown>);
}

function nameIn(given: Partial<AnyPlugin> | null | undefined): string {
  return typeof given?.name === "string" ? given.name : "given to createStandin";
}

/** Says which of a plugin's options cannot be used, and why. */
function optionProblem(rows: Readonly<Record<string, unknown>>): string | undefined {
  const names = Object.keys(rows);
  const wrong = names.find((name) => !TYPES.includes((rows[name] as Partial<PluginOption> | null | undefined)?.type));
  return wrong === undefined ? undefined : `its option "${wrong}" needs a "type", one of ${TYPES.join(", ")}.`;
}

/** The settings of a plugin: as given, else the defaults of its rows. */
function readPluginOptions(plugin: Plugin, given: Json | undefined, place: string): Record<string, unknown> {
  const rows = Object.entries((plugin.options ?? {}) as Readonly<Record<string, PluginOption>>);
  const key = `pluginOptions.${plugin.name}`;
  if (given !== undefined && !isJsonObject(given)) throw new StartError(`${place}: "${key}" must be an object.`);
  const names = rows.map(([name]) => name);
  const unknown = Object.keys(given ?? {}).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const taken = names.length === 0 ? "It takes none." : `It takes ${names.join(", ")}.`;
    throw new StartError(
      `${place}: "${key}.${unknown}" is not an option of that plugin.${didYouMean(unknown, names)} ${taken}`,
    );
  }
  return Object.fromEntries(
    rows.map(([name, row]) => {
      const value = given && Object.hasOwn(given, name) ? given[name] : undefined;
      const option: Option = { ...row, name, help: row.help ?? "" };
      if (value === undefined) return [name, row.default];
      if (isAllowed(option, value)) return [name, value];
      throw new StartError(
        `${place}: "${key}.${name}": ${JSON.stringify(value)}; it must be ${allowedValues(option)}.`,
      );
    }),
  );
}
