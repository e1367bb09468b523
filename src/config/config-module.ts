import { resolve } from "node:path";
import { messageOf, StartError } from "../base/errors.ts";
import { importFile, placeInCode } from "../base/files/import-file.ts";
import { isJsonObject, type Json, type JsonObject } from "../base/json/json.ts";
import { findConfig, isConfigModule } from "./find-config.ts";

/** The object that a config module exports, or the reason why it cannot be used. */
type Outcome = { readonly object: JsonObject } | { readonly thrown: unknown };

/** Modules that ran, by their paths. Options are resolved at once, so a module has to run before that. */
const outcomes = new Map<string, Outcome>();

/** Runs the config file, if it is a module. A failure is kept for `moduleConfig`: help must work without a config file. */
export async function prepareConfig(argv: readonly string[], folder: string): Promise<void> {
  let path: string | undefined;
  try {
    const file = findConfig(folder, namedConfig(argv));
    if (file === undefined || !isConfigModule(file)) return;
    path = resolve(folder, file);
    outcomes.set(path, { object: await runModule(path, file) });
  } catch (thrown) {
    if (path !== undefined) outcomes.set(path, { thrown });
  }
}

/** The configuration that a module exported; undefined if it was not to be run, as by `standin doctor`. */
export function moduleConfig(path: string): JsonObject | undefined {
  const outcome = outcomes.get(path);
  if (outcome && "thrown" in outcome) throw outcome.thrown;
  return outcome?.object;
}

/** The value of `--config`, before the other options are read. */
export function namedConfig(argv: readonly string[]): string | undefined {
  for (const [at, word] of argv.entries()) {
    if (word === "--") return undefined;
    if (word === "--config" || word === "-c") return argv[at + 1];
    const inline = /^(?:--config=|-c=?)(.+)$/s.exec(word)?.[1];
    if (inline !== undefined) return inline;
  }
  return undefined;
}

async function runModule(path: string, file: string): Promise<JsonObject> {
  const exported = await importFile(path, { name: file });
  const config: unknown =
    typeof exported === "function" ? await called(exported as () => unknown, path, file) : exported;
  const problem = functionIn(config);
  if (problem !== undefined) {
    throw new StartError(`${file}: "${problem}" is a function, but settings are JSON. Name a file that exports it.`);
  }
  const object = asJson(config, file);
  if (!isJsonObject(object)) throw new StartError(`${file} must export an object of options by default.`);
  return object;
}

async function called(create: () => unknown, path: string, file: string): Promise<unknown> {
  try {
    return await create();
  } catch (thrown) {
    throw new StartError(`${file} gave no options: ${placeInCode(thrown, path)}${messageOf(thrown)}`);
  }
}

/** Leaves out keys that are undefined, and shares nothing with the module. */
function asJson(config: unknown, file: string): Json | undefined {
  try {
    const text = JSON.stringify(config) as string | undefined;
    return text === undefined ? undefined : (JSON.parse(text) as Json);
  } catch (thrown) {
    throw new StartError(`${file} exports what JSON cannot hold: ${messageOf(thrown)}`);
  }
}

/** The path of the first function in a setting; JSON would leave it out without a word. */
function functionIn(config: unknown): string | undefined {
  if (typeof config !== "object" || config === null) return undefined;
  for (const [key, value] of Object.entries(config)) {
    if (typeof value === "function") return key;
    const at = Array.isArray(value) ? value.findIndex((element) => typeof element === "function") : -1;
    if (at >= 0) return `${key}[${at}]`;
  }
  return undefined;
}
