import { StartError } from "../../base/errors.ts";
import { isJsonObject, type Json } from "../../base/json/json.ts";
import { didYouMean } from "../../base/nearest.ts";
import { allowedValues, isAllowed, type Option } from "../../base/option.ts";
import type { Plugin, PluginOption } from "./types.ts";

const TYPES: readonly unknown[] = [
  "boolean",
  "integer",
  "string",
  "strings",
  "object",
  "objects",
] satisfies Option["type"][];

/** Says which of a plugin's options cannot be used, and why. */
export function optionProblem(rows: Readonly<Record<string, unknown>>): string | undefined {
  const names = Object.keys(rows);
  const wrong = names.find((name) => !TYPES.includes((rows[name] as Partial<PluginOption> | null | undefined)?.type));
  return wrong === undefined ? undefined : `its option "${wrong}" needs a "type", one of ${TYPES.join(", ")}.`;
}

/** The settings of a plugin: as given, else the defaults of its rows. */
export function readPluginOptions(plugin: Plugin, given: Json | undefined, place: string): Record<string, unknown> {
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
        `${place}: "${key}.${name}": ${JSON.stringify(value)}; allowed is ${allowedValues(option)}.`,
      );
    }),
  );
}
