import { resolve } from "node:path";
import { StartError } from "../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../base/json/json.ts";
import { meantOption } from "../base/nearest.ts";
import {
  allowedValues,
  converted,
  isAllowed,
  type Option,
  type OptionTable,
  type OptionValue,
  sameName,
} from "../base/option.ts";
import { moduleConfig } from "./config-module.ts";
import { findConfig, isConfigModule, readConfigObject } from "./find-config.ts";

export interface ConfigFile<T extends OptionTable> {
  /** Undefined if there is none. */
  readonly file: string | undefined;
  readonly values: { [K in keyof T]?: OptionValue };
  readonly warnings: readonly string[];
}

/** Reads the config file; a `StartError` names the file, the key, the value and the allowed values. */
export function loadConfigFile<T extends OptionTable>(
  folder: string,
  named: string | undefined,
  table: T,
): ConfigFile<T> {
  const file = findConfig(folder, named);
  if (file === undefined) return { file, values: {}, warnings: [] };
  if (!isConfigModule(file)) {
    const { object, place } = readConfigObject(folder, file);
    return { file, ...readValues(place, flattenSsl(place, object), table) };
  }
  const object = moduleConfig(resolve(folder, file));
  if (!object) return { file, values: {}, warnings: [`${file} was not run, so its settings are unknown.`] };
  return { file, ...readValues(file, flattenSsl(file, object), table) };
}

/** Reads the keys of an object by a table; `place` is for messages. */
export function readValues<T extends OptionTable>(
  place: string,
  object: JsonObject,
  table: T,
): Omit<ConfigFile<T>, "file"> {
  const values: Partial<Record<keyof T, OptionValue>> = {};
  const warnings: string[] = [];
  for (const [name, raw] of Object.entries(object)) {
    if (name === "$schema") continue;
    const entry = Object.entries(table).find(([, option]) => option.only !== "flag" && isNameOf(option, name));
    if (!entry) {
      warnings.push(unknownKey(place, name, table));
      continue;
    }
    const [key, option] = entry;
    const value = converted(option, raw);
    if (!isAllowed(option, value)) throw wrongValue(place, option, value);
    values[key as keyof T] = value;
  }
  return { values: values as ConfigFile<T>["values"], warnings };
}

/** Accepts aliases as keys, as 0.17 does: `{ "ro": true }`. */
function isNameOf(option: Option, name: string): boolean {
  return sameName(option.name, name) || (option.aliases?.includes(name) ?? false);
}

/** Splits `ssl`, a switch or a pair of files, into the keys of the table. */
function flattenSsl(file: string, { ssl, ...config }: JsonObject): JsonObject {
  if (ssl === undefined) return config;
  if (typeof ssl === "boolean") return { ...config, https: ssl };
  if (!isJsonObject(ssl)) {
    throw new StartError(
      `${file}: "ssl" is ${JSON.stringify(ssl)}; it must be true, false or { "cert": ..., "key": ... }.`,
    );
  }
  const pair = Object.entries(ssl).map(([name, value]) => [`ssl.${name}`, value] as const);
  return { ...config, ...Object.fromEntries(pair) };
}

function wrongValue(file: string, option: Option, value: Json): StartError {
  // Objects such as layers contain secrets.
  const shown = option.type === "object" ? "not an object" : JSON.stringify(value);
  return new StartError(`${file}: "${option.name}" is ${shown}; it must be ${allowedValues(option)}.`);
}

function unknownKey(file: string, name: string, table: OptionTable): string {
  const known = Object.values(table).filter((option) => option.only !== "flag");
  const near = meantOption(
    name,
    known.map((option) => option.name),
  );
  return `${file}: unknown key "${name}" is ignored.${near === undefined ? "" : ` Did you mean "${near}"?`}`;
}
