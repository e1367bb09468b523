import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { messageOf, StartError } from "../base/errors.ts";
import { fileProblem } from "../base/files/file-problem.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../base/json/json.ts";
import { nearest } from "../base/nearest.ts";
import {
  allowedValues,
  converted,
  isAllowed,
  type Option,
  type OptionTable,
  type OptionValue,
  sameName,
} from "../base/option.ts";

/** The config files looked for in the current folder, in this order, if none is named. */
export const CONFIG_FILES = ["standin.json", "json-server.json"] as const;

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
  const file = named ?? CONFIG_FILES.find((name) => existsSync(resolve(folder, name)));
  if (file === undefined) return { file, values: {}, warnings: [] };
  return { file, ...readValues(file, flattenSsl(file, readObject(resolve(folder, file), file)), table) };
}

/** Reads the keys of an object by a table; `place` is for messages. */
export function readValues<T extends OptionTable>(
  place: string,
  object: JsonObject,
  table: T,
): Omit<ConfigFile<T>, "file"> {
  const values: Partial<Record<keyof T, OptionValue>> = {};
  const warnings: string[] = [];
  for (const [name, given] of Object.entries(object)) {
    if (name === "$schema") continue;
    const entry = Object.entries(table).find(([, option]) => option.only !== "flag" && isNameOf(option, name));
    if (!entry) {
      warnings.push(unknownKey(place, name, table));
      continue;
    }
    const [key, option] = entry;
    const value = converted(option, given);
    if (!isAllowed(option, value)) throw wrongValue(place, option, value);
    values[key as keyof T] = value;
  }
  return { values: values as ConfigFile<T>["values"], warnings };
}

/** Accepts aliases as keys, as 0.17 does: `{ "ro": true }`. */
function isNameOf(option: Option, name: string): boolean {
  return sameName(option.name, name) || (option.aliases?.includes(name) ?? false);
}

function readObject(path: string, file: string): JsonObject {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (thrown) {
    throw new StartError(`The config file ${file} cannot be read: ${fileProblem(thrown)}`);
  }
  let config: Json;
  try {
    config = parseJson(text);
  } catch (thrown) {
    throw new StartError(`The config file ${file} is not valid JSON: ${messageOf(thrown)}`);
  }
  if (!isJsonObject(config)) throw new StartError(`The config file ${file} must contain a JSON object.`);
  return config;
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

function wrongValue(file: string, option: Option, given: Json): StartError {
  // Objects such as layers contain secrets.
  const shown = option.type === "object" ? "not an object" : JSON.stringify(given);
  return new StartError(`${file}: "${option.name}" is ${shown}; it must be ${allowedValues(option)}.`);
}

function unknownKey(file: string, name: string, table: OptionTable): string {
  const known = Object.values(table).filter((option) => option.only !== "flag");
  const near = nearest(
    name,
    known.map((option) => option.name),
  );
  return `${file}: unknown key "${name}" is ignored.${near === undefined ? "" : ` Did you mean "${near}"?`}`;
}
