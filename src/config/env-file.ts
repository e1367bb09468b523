import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import util from "node:util";
import { StartError } from "../base/errors.ts";
import { fileProblem } from "../base/files/file-problem.ts";
import { namedConfig } from "./config-module.ts";

/**
 * Adds the variables of the file `.env` beside the config file to an environment, so that secrets are in no config file
 * and in no shell history. Variables that are set already, even to nothing, stay as they are.
 */
export function addEnvFile(argv: readonly string[], folder: string, env: NodeJS.ProcessEnv): void {
  const beside = dirname(resolve(folder, namedConfig(argv) ?? "standin.json"));
  const file = join(beside, ".env");
  // A folder of that name is a virtual environment of Python.
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return;
  try {
    for (const [name, value] of Object.entries(util.parseEnv(readFileSync(file, "utf8")))) env[name] ??= value;
  } catch (thrown) {
    throw new StartError(`${file} cannot be read: ${fileProblem(thrown)}`);
  }
}

/** The files that only a start reads: the config file, and the one beside it. */
export function startFilesOf(configFile: string | undefined): string[] {
  return configFile === undefined ? [] : [configFile, join(dirname(configFile), ".env")];
}
