import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { messageOf, StartError } from "../base/errors.ts";
import { fileProblem } from "../base/files/file-problem.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../base/json/json.ts";

/** Modules that export the configuration. */
const MODULES = ["standin.config.ts", "standin.config.mjs", "standin.config.js"];
/** The config files looked for in the current folder if none is named; that of json-server counts if there is no other. */
export const CONFIG_FILES = ["standin.json", ...MODULES, "package.json", "json-server.json"] as const;
const FALLBACK = "json-server.json";

/** Finds the config file of a folder: that of `--config`, otherwise the only one there is. */
export function findConfig(folder: string, named: string | undefined): string | undefined {
  if (named !== undefined) return named;
  const found = CONFIG_FILES.filter((name) => name !== FALLBACK && isConfig(folder, name));
  if (found.length > 1) {
    const [one, other] = found.map((name) => (name === "package.json" ? 'package.json (at "standin")' : name));
    throw new StartError(`${one} and ${other} both configure standin. Delete one, or name one with --config.`);
  }
  return found[0] ?? (existsSync(resolve(folder, FALLBACK)) ? FALLBACK : undefined);
}

function isConfig(folder: string, name: string): boolean {
  const path = resolve(folder, name);
  if (!existsSync(path)) return false;
  return name !== "package.json" || packageSection(path, name) !== undefined;
}

/** Whether a config file is code. */
export function isConfigModule(file: string): boolean {
  return /\.[cm]?[jt]s$/.test(file);
}

/** The object of a config file that is JSON, and its place for messages. */
export function readConfigObject(folder: string, file: string): { object: JsonObject; place: string } {
  const path = resolve(folder, file);
  if (/(?:^|[\\/])package\.json$/.test(file)) {
    const object = packageSection(path, file);
    if (!object) throw new StartError(`${file} has no key "standin", which would be the configuration.`);
    return { object, place: `${file}, in "standin"` };
  }
  const object = parsed(readText(path, file), file);
  if (!isJsonObject(object)) throw new StartError(`The config file ${file} must contain a JSON object.`);
  return { object, place: file };
}

/** The key `standin` of a package.json. Most have none, and are not even parsed. */
function packageSection(path: string, file: string): JsonObject | undefined {
  const text = readText(path, file);
  if (!text.includes('"standin"')) return undefined;
  const content = parsed(text, file);
  const section = isJsonObject(content) ? content.standin : undefined;
  if (section === undefined || isJsonObject(section)) return section;
  throw new StartError(`${file}: "standin" is ${JSON.stringify(section)}; it must be an object of options.`);
}

function readText(path: string, file: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (thrown) {
    throw new StartError(`The config file ${file} cannot be read: ${fileProblem(thrown)}`);
  }
}

function parsed(text: string, file: string): Json {
  try {
    return parseJson(text);
  } catch (thrown) {
    throw new StartError(`The config file ${file} is not valid JSON: ${messageOf(thrown)}.`);
  }
}
